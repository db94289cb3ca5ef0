// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The page of a centre, and the places in it that have an address.
package struct CenterPage: Sendable, Equatable {
    private static let byteLimit = 1024

    /// The address of the page, which has no code that signs in.
    package let address: String

    /// Reads what `GET /v1` answers; `nil` means that the centre has no page, or says something else.
    package init?(api: JSONObject) {
        guard let text = api["page"]?.string, text.hasPrefix("http://") || text.hasPrefix("https://"),
            text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 })
        else { return nil }
        address = text
    }

    /// The address at which the page shows the notifications of one app alone.
    package func address(of topic: String) -> String { address + "#app=" + CenterClient.segment(topic) }
}
