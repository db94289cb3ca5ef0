// SPDX-License-Identifier: Apache-2.0

/// The setting by which an app's notifications form stacks.
package enum StackGrouping: String, CaseIterable, Sendable {
    /// By thread; those without a thread form the app's own stack.
    case automatic
    /// All of the app, whatever their threads.
    case byApp
    /// Each by itself.
    case off
}

/// The name of a stack: what its members have in common.
///
/// Held notifications form stacks of their own, beside those of the list, with the same rules.
/// Source: center.md §10.
package struct StackKey: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        case app
        /// The hash under which the store keeps the thread.
        case thread(Int64)
        /// The owner's number of the only member.
        case alone(Int64)
    }

    package let installation: Int32
    package let scope: Scope
    package let isHeld: Bool

    package init(installation: Int32, scope: Scope, isHeld: Bool = false) {
        self.installation = installation
        self.scope = scope
        self.isHeld = isHeld
    }

    /// The stack's id, 16 hex digits, made by a keyed hash, so that an id says nothing about a thread.
    ///
    /// Shape of what is hashed: installation 4 ‖ scope 1 ‖ held 1 ‖ thread or number 8, numbers big-endian.
    package func identifier(hash: ([UInt8]) -> UInt64) -> String {
        let (kind, value): (UInt8, Int64) =
            switch scope {
            case .app: (0, 0)
            case .thread(let thread): (1, thread)
            case .alone(let number): (2, number)
            }
        var bytes = Self.bigEndian(UInt64(UInt32(bitPattern: installation)), count: 4)
        bytes += [kind, isHeld ? 1 : 0]
        bytes += Self.bigEndian(UInt64(bitPattern: value), count: 8)
        let digits = String(hash(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
