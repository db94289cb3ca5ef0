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

    /// Asks the centre; a failure is an answer too.
    func answer() async -> UnseenAnswer {
        do {
            let owner = try await client.ask(.GET, "/v1/owner")
            if owner["isQuiet"]?.bool == true { return .quiet(OwnerQuiet(owner: owner)) }
            // A centre without a page says no address.
            return .list(try await list(), page: try await client.ask(.GET, "/v1")["page"]?.string)
        } catch { return .failed }
    }

    private func list() async throws -> UnseenList {
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
