// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Locking

/// A way by which the calls of this process come to a notification centre.
package protocol CenterCarrier: Sendable {
    /// Makes a call; its completion is called once, on any thread.
    func call(_ call: CenterCall, _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void)
    /// Makes a call with files; a carrier that has no way for them answers that there are none.
    func call(
        _ call: CenterCall,
        files: OutgoingFiles,
        _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void
    )
    /// Tells the centre what the app is ready for.
    func announce(_ presence: Presence)
    /// True if the centre hands out the files that it keeps: to apps, and not to their extensions.
    var handsOutFiles: Bool { get }
}

extension CenterCarrier {
    package var handsOutFiles: Bool { false }

    package func call(
        _ call: CenterCall,
        files: OutgoingFiles,
        _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void
    ) {
        guard files.isEmpty else { return completion(.answer(.failed(.attachmentURL))) }
        self.call(call, completion)
    }
}

/// The place at which the process finds its centre.
package enum CenterReach {
    private enum Place {
        /// An app's process: the socket that `CenterAddress` finds.
        case socket
        /// A worker: whatever carries the host's conversation.
        case carrier(any CenterCarrier)
        /// A test of an extension, which may run beside the centre of whoever runs it: none.
        case none
    }

    private static let place = Locked(Place.socket)

    /// Has the process talk to no centre.
    package static func forbid() { place.withLock { $0 = .none } }

    /// Has the process talk to the centre over a carrier of its own.
    package static func redirect(_ carrier: any CenterCarrier) { place.withLock { $0 = .carrier(carrier) } }

    /// Finds the way to the centre; `nil` means that there is none now.
    static func find(_ listener: @escaping CenterConnection.Listener) -> (any CenterCarrier)? {
        switch place.withLock(\.self) {
        case .socket: CenterAddress().map { CenterConnection($0, listener: listener) }
        case .carrier(let carrier): carrier
        case .none: nil
        }
    }

    /// The reason for which no centre is reached, and for an app the next step.
    package static var absence: String {
        switch place.withLock(\.self) {
        case .socket: "no notification centre is reached: NESTBOX_CENTER names its folder, and NESTBOX_APP the app"
        case .carrier, .none:
            "UNUserNotificationCenter does not reach the app from here: lists are empty, changes have no effect"
        }
    }
}
