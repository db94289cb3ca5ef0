// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopPresenter
import NIOHTTP1
import NotificationPayload

/// Asks a centre for what its owner has not seen, as far as a popup tells of it.
struct UnseenReader {
    private let client: CenterClient

    init(_ client: CenterClient) {
        self.client = client
    }

    /// The address of the centre's page; `nil` means that it has none.
    func page() async throws -> String? { try await client.ask(.GET, "/v1")["page"]?.string }

    /// Returns what is not seen; `nil` means that Do Not Disturb is on, at whose end the centre says so.
    func list() async throws -> UnseenList? {
        guard try await client.ask(.GET, "/v1/owner")["isQuiet"]?.bool != true else { return nil }
        let front = try await client.ask(.GET, "/v1/front?limit=1")
        let seen = front["seen"]?.string.flatMap { Int64($0) } ?? 0
        let target = "/v1/notifications?after=\(seen)&limit=\(UnseenList.pageLimit)"
        var list = UnseenList()
        var next = list.take(page: try await client.ask(.GET, target))
        while let before = next {
            next = list.take(page: try await client.ask(.GET, target + "&before=\(before)"))
        }
        return list
    }
}
