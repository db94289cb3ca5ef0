// SPDX-License-Identifier: Apache-2.0

private import CenterServing
private import CenterStore

/// Feeds hostile requests to the API of a real centre, and holds the centre against what each answer says.
///
/// Each script has an owner of its own, so that none sees what another one left.
/// Source: docs/notification-center.md, "The API".
public final class APICheck: Sendable {
    private let desk: APIDesk

    /// Returns `nil` where no store can be made.
    public init?() {
        guard let desk = try? APIDesk() else { return nil }
        self.desk = desk
    }

    /// Makes the requests of a script, one after the other; those that are carried out are taken.
    public func callAsFunction(_ bytes: [UInt8]) async -> Verdict {
        let requests = APIScript(bytes).requests
        guard !requests.isEmpty else { return .refused }
        return await Verdict { () async throws(BrokenPromise) in
            var visit = try await desk.visit()
            var taken = 0
            for request in requests where try await visit.make(request) { taken += 1 }
            return taken
        }
    }
}
