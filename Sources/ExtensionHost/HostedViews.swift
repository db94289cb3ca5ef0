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

    func open(
        _ view: LinkView,
        _ files: [HeldFile],
        report: @escaping @Sendable (LinkViewReport) -> Void
    ) async -> UInt64? {
        guard let (opening, attachments) = try? Self.opening(view, files) else { return nil }
        return await supervisor.openView(opening, attachments, of: view.topic, for: view.owner) { word in
            switch word {
            case .scene(let update): report(.scene(update.pieces(ofAtMost: Self.pieceByteCount).map(\.body)))
            case .picture(let picture, let gone):
                report(.picture(LinkViewFile(number: picture.number, type: picture.type, gone: gone), picture.file))
            case .ended(let reason): report(.ended(reason))
            }
        }
    }

    func pass(_ event: JSONObject, _ files: [HeldFile], to number: UInt64) async {
        guard let (seq, word, attachments) = try? Self.word(event, files) else {
            return await supervisor.closeView(number)
        }
        if case .event(.close) = word { return await supervisor.closeView(number) }
        await supervisor.pass(word, attachments, numbered: seq, toView: number)
    }

    func close(_ number: UInt64) async { await supervisor.closeView(number) }

    // MARK: Reading

    private static func opening(
        _ view: LinkView,
        _ files: [HeldFile]
    ) throws(MemberFault) -> (opening: ViewOpening, files: [ViewAttachment]) {
        var members = Members(view.environment, .strict, path: "environment")
        let environment = try ViewEnvironment(&members)
        try members.end()
        let (notification, attachments) = try notification(view.notification, files)
        return (ViewOpening(notification: notification, environment: environment), attachments)
    }

    private static func notification(
        _ object: JSONObject,
        _ files: [HeldFile]
    ) throws(MemberFault) -> (notification: ShownNotification, files: [ViewAttachment]) {
        var members = Members(object, .strict, path: "notification")
        let notification = ShownNotification(
            identifier: try members.text("identifier", CenterNames.identifierByteCounts),
            date: try members.text("date", 1...64),
            payload: try members.payload("payload")
        )
        let named = try members.optionalElements("attachments", atMost: RequestAttachment.limit) {
            file throws(MemberFault) in
            (
                identifier: try file.text("identifier", 0...4096),
                type: try file.shape("type") { AttachmentType(identifier: $0) },
                byteCount: try file.integer("size", 0...Int64(AttachmentType.Kind.film.maximumByteCount))
            )
        }
        try members.end()
        // The link has judged that there is one descriptor for each.
        let attachments = zip(named ?? [], files).map { named, file in
            ViewAttachment(
                identifier: named.identifier,
                type: named.type,
                byteCount: Int(named.byteCount),
                file: file
            )
        }
        return (notification, attachments)
    }

    private static func word(
        _ object: JSONObject,
        _ files: [HeldFile]
    ) throws(MemberFault) -> (seq: UInt64, word: ViewWord, files: [ViewAttachment]) {
        var members = Members(object, .strict)
        let seq = UInt64(try members.integer("seq", 1...Int64.max))
        var attachments: [ViewAttachment] = []
        let word: ViewWord
        if object["notification"] != nil {
            let newer = try notification(try members.object("notification"), files)
            word = .notification(newer.notification)
            attachments = newer.files
        } else {
            guard let event = try ViewEvent(&members) else { throw .missing("event") }
            word = .event(event)
        }
        try members.end()
        return (seq, word, attachments)
    }
}
