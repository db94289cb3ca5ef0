// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// An opener for each app, over one arena and one set of payloads seen.
struct AppTable {
    private let openers: [String: (number: Int, opener: Opener)]
    private let replays: ReplaySet
    private let wantsMarks: Bool

    /// Reads every key file into the arena and derives what the apps' senders share with them.
    init(_ hello: Hello, in arena: SecretArena, _ replays: ReplaySet) throws(Ending) {
        self.replays = replays
        wantsMarks = hello.wantsMarks
        var openers: [String: (number: Int, opener: Opener)] = [:]
        for (number, app) in hello.apps.enumerated() {
            openers[app.name] = (number, try Self.opener(app, in: arena, replays))
        }
        self.openers = openers
    }

    private static func opener(
        _ app: Hello.App,
        in arena: SecretArena,
        _ replays: ReplaySet
    ) throws(Ending) -> Opener {
        var rings: KeyRing?
        for descriptor in app.keys {
            do {
                let ring = try KeyFile.read(descriptor: descriptor, into: arena)
                if rings == nil { rings = consume ring } else { rings?.append(ring) }
            } catch {
                throw .rejected(Rejection(error, descriptor: descriptor))
            }
        }
        guard let ring = rings.take() else { throw .rejected(Rejection(app: app.name, "the app has no key")) }
        do {
            return try Opener(keys: ring, policy: app.policy, replays: replays, app: app.name)
        } catch {
            let reason = if case .key = error.problem { "a sender's key \(error)" } else { "its keys: \(error)" }
            throw .rejected(Rejection(app: app.name, reason, hint: error.hint(forFile: "the key file")))
        }
    }

    /// The answer to one request; what was opened is in the set, and nothing else is.
    func answer(to request: OpenRequest, now: Int64) throws(Ending) -> Answer {
        guard let (number, opener) = openers[request.app] else {
            throw .protocolViolation("a request names an app that hello did not")
        }
        let changeCount = replays.changeCount
        do {
            let opened = try opener.open(payload: request.payload, context: request.context, now: now)
            if var answer = request.answer(opened, hasMark: wantsMarks) {
                answer.app = number
                return answer
            }
        } catch {
            return try request.refusal(error)
        }
        replays.undoChanges(downTo: changeCount)
        return try request.refusal(.badContent)
    }
}
