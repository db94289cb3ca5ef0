// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NotificationPayload

/// The responses of people for one app: those that waited for it, and then those that come.
///
/// An app says that it is done with each, `POST answers/ID`. One that it does not complete within 30 s, or before it
/// goes, waits again; after three attempts it is given up.
struct ResponseStream {
    /// Responses that an app has at once.
    private static let limit = 16
    private static let completionLimit = Duration.seconds(30)

    let center: Center
    let key: InstallationKey
    let clock: any Clock<Duration>

    /// Writes responses until the app is gone, which `write` throws.
    func run(write: (String) async throws -> Void) async throws {
        var sent: Set<Int64> = []
        do {
            while !Task.isCancelled {
                let position = try center.store.owner(key.owner)?.position ?? 0
                let open = try center.store.responses(of: key, limit: Self.limit)
                sent.formIntersection(open.map(\.id))
                for response in open where response.state == .stored {
                    _ = try await center.perform([.step(response: response.id, .sent)])
                    sent.insert(response.id)
                    try await write(Self.text(of: response))
                }
                if !(await news(after: position)) {
                    try await giveBack(sent)
                    sent = []
                    try await write(EventView.comment)
                }
            }
        } catch {
            try? await giveBack(sent)
            throw error
        }
        try await giveBack(sent)
    }

    private func giveBack(_ responses: Set<Int64>) async throws(DatabaseFailure) {
        _ = try await center.perform(responses.sorted().map { .step(response: $0, .returned) })
    }

    /// Waits for a change of the owner's; false: none came for so long that what the app has is overdue.
    private func news(after position: Int64) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await center.wait(for: key.owner, after: position)
                return true
            }
            group.addTask {
                try? await clock.sleep(for: Self.completionLimit)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private static func text(of response: StoredResponse) -> String {
        var object: JSONObject = [
            "id": .string("\(response.id)"), "notification": .string("\(response.number)"),
            "action": .string(response.action),
        ]
        object["text"] = response.text.map(JSON.string)
        object["identifier"] = response.content.map { .string($0.identifier) }
        object["payload"] = response.content.map { .object($0.payload) }
        return "event: response\ndata: \(String(decoding: object.serialized, as: UTF8.self))\n\n"
    }
}
