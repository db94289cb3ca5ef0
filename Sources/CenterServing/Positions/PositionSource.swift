// SPDX-License-Identifier: Apache-2.0

package import CenterStore
package import UserNotificationCenter

/// A place from which the centre learns where an owner is, report after report.
package protocol PositionSource: Sendable {
    /// The owner whom the reports are about.
    var owner: OwnerName { get }

    /// Hands over each report in its turn, until the task is cancelled.
    ///
    /// The next one is read when the last was taken, so that a source which tells more than anybody wants to know
    /// waits, and costs no memory.
    func run(_ take: @escaping @Sendable (PositionReport) async -> Void) async
}
