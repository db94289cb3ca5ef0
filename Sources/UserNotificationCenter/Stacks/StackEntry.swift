// SPDX-License-Identifier: Apache-2.0

/// One notification on a board: 24 bytes and no text.
package struct StackEntry: Sendable, Equatable {
    /// The owner's number.
    package let number: Int64
    /// Negative for none.
    private let threadHash: Int64
    /// The store's number of the app's installation.
    package let installation: Int32
    /// The summary count, and in the highest bit whether the notification is held.
    private let packed: UInt32

    /// `thread` is a hash of 63 bits, and `nil` means none; `count` is brought into 1 to 2³¹−1.
    package init(number: Int64, installation: Int32, thread: Int64? = nil, count: Int = 1, isHeld: Bool = false) {
        self.number = number
        self.installation = installation
        threadHash = thread.map { $0 & .max } ?? -1
        packed = UInt32(min(max(1, count), NotificationTraits.countLimit)) | (isHeld ? Self.heldBit : 0)
    }

    private static let heldBit: UInt32 = 1 << 31

    package var thread: Int64? { threadHash < 0 ? nil : threadHash }
    /// The things that the notification counts for in a summary: 1 to 2³¹−1.
    package var count: Int { Int(packed & ~Self.heldBit) }
    package var isHeld: Bool { packed & Self.heldBit != 0 }

    /// The stack to which the notification belongs under its app's setting.
    package func key(_ grouping: StackGrouping) -> StackKey {
        let scope: StackKey.Scope =
            switch grouping {
            case .automatic: thread.map(StackKey.Scope.thread) ?? .app
            case .byApp: .app
            case .off: .alone(number)
            }
        return StackKey(installation: installation, scope: scope, isHeld: isHeld)
    }
}
