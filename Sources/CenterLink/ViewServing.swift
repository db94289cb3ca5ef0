// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import HostRuntime
package import NotificationPayload

/// The views of a host, as a centre has them opened and worked over its link.
package protocol ViewServing: Sendable {
    /// Opens a view and returns its number; `nil` when there is no such extension, no room, or the wish cannot be read.
    ///
    /// `files` are those of the notification, open for reading from their start, in the order in which it names them.
    /// `report` may be called before the number is there, and with `ended` exactly once, as the last; without a view it
    /// is not called.
    func open(
        _ view: LinkView,
        _ files: [HeldFile],
        report: @escaping @Sendable (LinkViewReport) -> Void
    ) async -> UInt64?

    /// Hands an event to a view, with the files of a notification that it has; one that cannot be read ends it.
    func pass(_ event: JSONObject, _ files: [HeldFile], to number: UInt64) async

    func close(_ number: UInt64) async
}

/// A word on a view to the centre that had it opened.
package enum LinkViewReport: Sendable {
    /// An update in pieces of which each fits a packet.
    case scene([JSONObject])
    /// A picture, and the file that has it.
    case picture(LinkViewFile, HeldFile)
    case ended(ViewEnd)
}
