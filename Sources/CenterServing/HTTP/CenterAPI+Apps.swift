// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload

/// The longest wait of a request for a decision of the owner.
private let decisionLimit = Duration.seconds(30)

/// The part of the API that apps use: `/v1/app/TOPIC`.
extension CenterAPI {
    /// A call as apps make it, whatever carries it; it waits for an owner's decision for 30 s at most.
    func call(_ topic: String, _ object: JSONObject) async throws(APIError) -> APIAnswer {
        let key = try key(topic)
        let call: CenterCall
        do { call = try CenterCall(object, from: .http) } catch { throw .badParameter("\(error)") }
        switch await answer(call, key) {
        case .failed(let failure)?: throw .call(failure)
        case let answer?: return APIAnswer(.ok, answer.body["ok"]?.object ?? [:])
        case nil: return APIAnswer(.accepted, ["asked": true])
        }
    }

    /// `nil` means that the owner has not decided in time.
    private func answer(_ call: CenterCall, _ key: InstallationKey) async -> CallAnswer? {
        let desk = CallDesk(center)
        guard case .authorize = call else { return await desk.answer(call, of: key) }
        return await withTaskGroup(of: CallAnswer?.self) { group in
            group.addTask { await desk.answer(call, of: key) }
            group.addTask {
                try? await clock.sleep(for: decisionLimit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    func key(_ topic: String) throws(APIError) -> InstallationKey {
        guard let key = InstallationKey(owner: owner, app: topic) else { throw .notFound }
        return key
    }

    /// The options that an owner who allows an app has taken out of what it asks for: `without`, which may be absent.
    func unticked(in object: JSONObject) throws(APIError) -> AuthorizationOptions {
        do throws(MemberFault) { return try AuthorizationOptions(withoutOf: object) } catch {
            throw .badParameter("\(error)")
        }
    }

    // MARK: Answers to what the stream of events asked

    /// An answer to a question, or the end of the work on a response, by the id that its event had.
    func take(_ request: APIRequest, of key: InstallationKey, to id: String) async throws(APIError) -> APIAnswer {
        guard let number = QuestionKind.number(of: id) else { return try await complete(try Self.number(id), key) }
        guard let question = questions.question(number, to: key) else { throw .notFound }
        let object = try request.object()
        do throws(MemberFault) {
            switch question {
            case .present(let question): question.answer(try PresentationOptions(answer: object))
            case .silent(let question): question.answer(try FetchResult(answer: object))
            }
        } catch {
            throw .badParameter("\(error)")
        }
        questions.close(number)
        return .done
    }

    /// An app is done with the response to a notification; one of another app is none that it knows.
    private func complete(_ number: Int64, _ key: InstallationKey) async throws(APIError) -> APIAnswer {
        let found = try read { store throws(DatabaseFailure) in try store.response(to: number, of: key) }
        guard let found, case .stepped(.completed) = try await perform(.step(response: found.id, .completed)) else {
            throw .notFound
        }
        return .done
    }
}
