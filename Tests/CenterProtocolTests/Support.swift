// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

@testable import CenterProtocol

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension JSONObject {
    var text: String { String(decoding: serialized, as: UTF8.self) }

    init(text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8).span, depthLimit: LinkPacket.depthLimit)
    }
}

extension JSON {
    /// Objects and arrays of so many levels around a number.
    static func nested(levels: Int) -> JSON {
        (0..<levels).reduce(1) { inner, level in level.isMultiple(of: 2) ? [inner] : ["a": inner] }
    }
}

extension Payload {
    static let sample = Payload(["aps": ["alert": ["title": "Alice", "body": "Lunch?"], "badge": 1]])
}

extension CenterPacket {
    init(_ bytes: [UInt8]) throws(PacketFault) { try self.init(decoding: bytes.span) }
}

extension StoredNotification {
    static let sample = StoredNotification(
        number: 4711,
        date: Moment(milliseconds: 1_795_230_000_123),
        request: StoredRequest(
            identifier: "lunch",
            payload: .sample,
            trigger: .push,
            files: [
                StoredRequest.File(
                    identifier: "photo",
                    type: "public.jpeg",
                    byteCount: 48_211,
                    name: "5f2c9a1e",
                    thumbnail: RequestAttachment.Thumbnail(hidden: true, clip: [0, 0.25, 0.5, 0.5])
                )
            ]
        )
    )
}

extension NotificationRequest {
    static let sample = NotificationRequest(identifier: "sampleRequest", payload: .sample)

    static func withFiles(_ count: Int) -> NotificationRequest {
        NotificationRequest(
            identifier: "files",
            payload: .sample,
            attachments: (0..<count).map {
                RequestAttachment(identifier: "file\($0)", type: "public.jpeg", source: .descriptor($0))
            }
        )
    }
}

extension NotificationCategory {
    static let sample = NotificationCategory(
        identifier: "message",
        actions: [
            CategoryAction(
                identifier: "reply",
                title: "Reply",
                options: [.foreground, .authenticationRequired],
                text: .init(button: "Send", placeholder: "Message"),
                icon: .system("arrow")
            ),
            CategoryAction(identifier: "delete", title: "Delete", options: .destructive, icon: .template("bin")),
        ],
        intentIdentifiers: ["INSendMessageIntent"],
        options: [.customDismissAction, .hiddenPreviewsShowTitle],
        hiddenPreviewsBodyPlaceholder: "%u messages",
        summaryFormat: "%u more messages from %@"
    )
}

// MARK: Link

extension LinkRecord {
    static func sample(files: Int = 0) -> LinkRecord {
        LinkRecord(
            id: "5f3d2c1e-8a0b-4c6d-9e7f-012345678901",
            owner: "me",
            topic: "com.example.chat",
            identifier: "lunch",
            date: Moment(milliseconds: 1_795_230_000_123),
            outcome: "modified",
            payload: .sample,
            files: (0..<files).map { .init(identifier: "file\($0)", type: "public.png", byteCount: 1) }
        )
    }
}

extension LinkHello {
    static let sample = LinkHello(journal: "5f2c9a1e", floor: 10)
}

extension HostLinkMessage {
    static func record(_ number: Int64, files: Int = 0) -> HostLinkMessage {
        .record(number: number, .sample(files: files))
    }

    static func call(_ id: UInt64, _ call: CenterCall = .settings) -> HostLinkMessage {
        .call(id: id, LinkCall(owner: "me", topic: "com.example.chat", call: call))
    }

    static let told = HostLinkMessage.told(id: 1, .register, .token("00ff"))
    static let wholeRegistry = HostLinkMessage.apps(
        Piece(
            number: 0,
            isLast: true,
            content: LinkRegistry(
                owners: [CenterOwner(name: "me")],
                apps: [CenterApp(topic: "com.example.chat", name: "Chat")]
            )
        )
    )
}

extension AppFile {
    static let icon = AppFile(topic: "com.example.chat", .icon)
    static let sound = AppFile(topic: "com.example.chat", .sound("Ding 1.wav"))
}

extension CenterLinkMessage {
    static func taken(_ numbers: Int64...) throws -> CenterLinkMessage {
        .taken(try Required.value(TakenRanges(numbers)))
    }

    static func ask(_ id: UInt64, _ wish: LinkAsk.Wish = .register) -> CenterLinkMessage {
        .ask(id: id, LinkAsk(wish, owner: "me", topic: "com.example.chat"))
    }

    static func view(_ id: UInt64) -> CenterLinkMessage {
        .viewOpen(
            id: id,
            LinkView(
                owner: "me",
                topic: "com.example.chat",
                notification: ["identifier": "lunch", "date": "2026-11-21T03:00:00.123Z", "payload": ["aps": [:]]],
                environment: ["width": 360]
            )
        )
    }

    static let wholeGates = CenterLinkMessage.gates(
        Piece(
            number: 0,
            isLast: true,
            content: GateList(isWhole: true, shut: [Gate(owner: "me", topic: "com.example.chat")])
        )
    )
}

/// A value that a sample needs.
enum Required {
    struct Missing: Error {}

    static func value<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }
}

extension HostLinkEnd {
    mutating func judge(_ bytes: [UInt8], descriptors: Int = 0) -> Result<Event, LinkViolation> {
        do { return .success(try receive(bytes.span, descriptorCount: descriptors)) } catch { return .failure(error) }
    }

    mutating func judge(_ message: CenterLinkMessage) throws -> Result<Event, LinkViolation> {
        judge(try message.packet.encoded())
    }

    mutating func judge(send message: HostLinkMessage) -> Result<[UInt8], LinkViolation> {
        do { return .success(try send(message)) } catch { return .failure(error) }
    }
}

extension CenterLinkEnd {
    mutating func judge(_ bytes: [UInt8], descriptors: Int = 0) -> Result<Event, LinkViolation> {
        do { return .success(try receive(bytes.span, descriptorCount: descriptors)) } catch { return .failure(error) }
    }

    mutating func judge(_ message: HostLinkMessage) throws -> Result<Event, LinkViolation> {
        judge(try message.packet.encoded(), descriptors: message.descriptorCount)
    }

    mutating func judge(send message: CenterLinkMessage) -> Result<[UInt8], LinkViolation> {
        do { return .success(try send(message)) } catch { return .failure(error) }
    }
}

/// Host and centre, joined: what one sends the other receives.
struct LinkPair: ~Copyable {
    var host = HostLinkEnd()
    var center = CenterLinkEnd()

    init() {}

    /// Both ends beyond the opening, with the floor at 10.
    static func serving() throws -> LinkPair {
        var pair = LinkPair()
        try pair.say(.hello(.sample))
        try pair.say(.ready)
        try pair.say(.wholeRegistry)
        try pair.say(.wholeGates)
        return pair
    }

    @discardableResult
    mutating func say(_ message: HostLinkMessage) throws -> CenterLinkEnd.Event {
        let bytes = try host.send(message)
        return try center.judge(bytes, descriptors: message.descriptorCount).get()
    }

    @discardableResult
    mutating func say(_ message: CenterLinkMessage) throws -> HostLinkEnd.Event {
        let bytes = try center.send(message)
        return try host.judge(bytes).get()
    }
}

// MARK: App socket

extension AppEnd {
    mutating func judge(_ bytes: [UInt8], descriptors: Int = 0) -> Result<CenterAppMessage, AppViolation> {
        do { return .success(try receive(bytes.span, descriptorCount: descriptors)) } catch { return .failure(error) }
    }

    mutating func judge(_ message: CenterAppMessage) throws -> Result<CenterAppMessage, AppViolation> {
        judge(try message.packet.encoded())
    }

    mutating func judge(send message: AppMessage) -> Result<[UInt8], AppViolation> {
        do { return .success(try send(message, at: .zero)) } catch { return .failure(error) }
    }
}

extension CenterAppEnd {
    mutating func judge(
        _ bytes: [UInt8],
        descriptors: Int = 0,
        at now: Duration = .zero
    ) -> Result<Event, AppViolation> {
        do {
            return .success(try receive(bytes.span, descriptorCount: descriptors, at: now))
        } catch {
            return .failure(error)
        }
    }

    mutating func judge(_ message: AppMessage) throws -> Result<Event, AppViolation> {
        judge(try message.packet.encoded(), descriptors: message.descriptorCount)
    }

    mutating func judge(send message: CenterAppMessage) -> Result<[UInt8], AppViolation> {
        do { return .success(try send(message)) } catch { return .failure(error) }
    }
}

extension AppMessage {
    static let hello = AppMessage.hello(AppHello(bundleIdentifier: "com.example.chat", name: "Chat"))
    static let readyForAll = AppMessage.presence(Presence(inFront: true, listens: true, silent: true))
}

extension CenterAppMessage {
    static let welcome = CenterAppMessage.welcome(
        AppWelcome(owner: "me", status: .authorized, environment: .production)
    )
    static let rejected = CenterAppMessage.rejected(AppRejection(.unknownApp, hint: "name it in apps"))

    static func response(_ id: UInt64) -> CenterAppMessage {
        .response(id: id, AppResponse(response: 7, action: "default", notification: .sample))
    }
}

/// App and centre, joined: what one sends the other receives.
struct AppPair: ~Copyable {
    var app = AppEnd()
    var center = CenterAppEnd()

    init() {}

    /// Both ends beyond the opening; the app takes everything.
    static func open() throws -> AppPair {
        var pair = AppPair()
        try pair.say(.hello)
        try pair.say(.welcome)
        try pair.say(.readyForAll)
        return pair
    }

    @discardableResult
    mutating func say(_ message: AppMessage, at now: Duration = .zero) throws -> CenterAppEnd.Event {
        let bytes = try app.send(message, at: now)
        return try center.judge(bytes, descriptors: message.descriptorCount, at: now).get()
    }

    @discardableResult
    mutating func say(_ message: CenterAppMessage) throws -> CenterAppMessage {
        let bytes = try center.send(message)
        return try app.judge(bytes).get()
    }
}

extension LinkViewFile {
    static let sample: LinkViewFile = {
        guard let type = AttachmentType(identifier: "public.png") else { preconditionFailure("the table has it") }
        return LinkViewFile(number: 7, type: type, gone: [1, 2])
    }()
}
