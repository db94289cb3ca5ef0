// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The SHA-256 of a file of a view, by which nodes name it; 64 lower-case hex digits in JSON.
package struct BlobHash: Sendable, Hashable {
    package let text: String

    /// `nil` for what is not 64 lower-case hex digits.
    package init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
        self.text = text
    }

    private static let digits = Set("0123456789abcdef".utf8)
}

extension Members {
    /// Takes a hash; `nil` means that it is absent.
    mutating func optionalHash(_ key: String = "src") throws(MemberFault) -> BlobHash? {
        try optionalShape(key, BlobHash.init)
    }
}

extension Members {
    /// Takes the name of a symbol; `nil` means that it is absent.
    mutating func optionalSymbol() throws(MemberFault) -> String? {
        try optionalShape("symbol") { text in
            let isName =
                (1...128).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                }
            return isName ? text : nil
        }
    }
}
