// SPDX-License-Identifier: Apache-2.0

import CenterLink
import CenterProtocol
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerProtocol
import WorkerSupervisor

/// The supervisor's views as notification centres open and work them.
struct HostedViews: ViewServing {
    private let supervisor: WorkerSupervisor

    /// The longest update in one packet of the link.
    private static let pieceByteCount = 100_000

    init(_ supervisor: WorkerSupervisor) {
        self.supervisor = supervisor
    }

    func open(_ view: LinkView, report: @escaping @Sendable (LinkViewReport) -> Void) async -> UInt64? {
        guard let opening = try? Self.opening(view) else { return nil }
        return await supervisor.openView(opening, of: view.topic, for: view.owner) { word in
            switch word {
            case .scene(let update): report(.scene(update.pieces(ofAtMost: Self.pieceByteCount).map(\.body)))
            case .picture(let picture, let gone):
                report(.picture(LinkViewFile(number: picture.number, type: picture.type, gone: gone), picture.file))
            case .ended(let reason): report(.ended(reason))
            }
        }
    }

    func pass(_ event: JSONObject, to number: UInt64) async {
        guard let (seq, word) = try? Self.word(event) else { return await supervisor.closeView(number) }
        if case .event(.close) = word { return await supervisor.closeView(number) }
        await supervisor.pass(word, numbered: seq, toView: number)
    }

    func close(_ number: UInt64) async { await supervisor.closeView(number) }

    // MARK: Reading

    private static func opening(_ view: LinkView) throws(MemberFault) -> ViewOpening {
        var members = Members(view.environment, .strict, path: "environment")
        let environment = try ViewEnvironment(&members)
        try members.end()
        return ViewOpening(notification: try notification(view.notification), environment: environment)
    }

    private static func notification(_ object: JSONObject) throws(MemberFault) -> ShownNotification {
        var members = Members(object, .strict, path: "notification")
        let notification = ShownNotification(
            identifier: try members.text("identifier", CenterNames.identifierByteCounts),
            date: try members.text("date", 1...64),
            payload: try members.payload("payload")
        )
        try members.end()
        return notification
    }

    private static func word(_ object: JSONObject) throws(MemberFault) -> (seq: UInt64, word: ViewWord) {
        var members = Members(object, .strict)
        let seq = UInt64(try members.integer("seq", 1...Int64.max))
        let word: ViewWord
        if object["notification"] != nil {
            word = .notification(try notification(try members.object("notification")))
        } else {
            guard let event = try ViewEvent(&members) else { throw .missing("event") }
            word = .event(event)
        }
        try members.end()
        return (seq, word)
    }
}
