// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A message of the host to the centre.
package enum HostLinkMessage: Sendable, Equatable {
    case hello(LinkHello)
    case record(number: Int64, LinkRecord)
    /// Everything below the number is settled.
    case floor(Int64)
    case call(id: UInt64, LinkCall)
    /// The answer to an ask: `token` or `done`, or an error.
    case told(id: UInt64, LinkAsk.Wish, CallAnswer)
    case apps(Piece<LinkRegistry>)
    /// A file of an app that the next list of apps names.
    case file(AppFile)
    /// An update of the scene of a view, as the host has judged it.
    case viewScene(id: UInt64, JSONObject)
    /// A picture that nodes of a view may name.
    case viewFile(id: UInt64, LinkViewFile)
    /// The view is no more.
    case viewEnded(id: UInt64, ViewEnd)
    case shutdown

    package var type: LinkMessageType {
        switch self {
        case .hello: .hello
        case .record: .record
        case .floor: .floor
        case .call: .call
        case .told: .told
        case .apps: .apps
        case .file: .file
        case .viewScene: .viewScene
        case .viewFile: .viewFile
        case .viewEnded: .viewEnded
        case .shutdown: .shutdown
        }
    }

    /// The number of descriptors that travel with the message.
    package var descriptorCount: Int {
        switch self {
        case .record(_, let record): record.files.count
        case .call(_, let call): call.call.descriptorCount
        case .file, .viewFile: 1
        case .hello, .floor, .told, .apps, .viewScene, .viewEnded, .shutdown: 0
        }
    }
}

/// The first message of the host.
package struct LinkHello: Sendable, Equatable {
    /// The journal's name, eight lower-case hex digits: numbers of records are unique within it.
    package var journal: String
    /// Everything below the number was settled before; 0 at the beginning of a journal.
    package var floor: Int64

    package init(journal: String, floor: Int64) {
        self.journal = journal
        self.floor = floor
    }
}

/// A call that a worker made, with the owner and the app for whom it works.
package struct LinkCall: Sendable, Equatable {
    package var owner: String
    package var topic: String
    package var call: CenterCall

    package init(owner: String, topic: String, call: CenterCall) {
        self.owner = owner
        self.topic = topic
        self.call = call
    }
}

// MARK: Packets

extension HostLinkMessage {
    package var packet: LinkPacket {
        switch self {
        case .hello(let hello):
            LinkPacket(
                .hello,
                body: [
                    "protocol": .integer(centerProtocolVersion), "journal": .string(hello.journal),
                    "floor": .integer(hello.floor),
                ]
            )
        case .record(let number, let record): LinkPacket(.record, id: UInt64(clamping: number), body: record.body)
        case .floor(let number): LinkPacket(.floor, id: UInt64(clamping: number))
        case .call(let id, let call):
            LinkPacket(
                .call,
                id: id,
                body: JSONObject(
                    [("owner", .string(call.owner)), ("topic", .string(call.topic))]
                        + call.call.body.members.map { ($0.key, $0.value) }
                )
            )
        case .told(let id, _, let answer): LinkPacket(.told, id: id, body: answer.body)
        case .apps(let piece):
            LinkPacket(
                .apps,
                id: piece.number,
                body: [
                    "owners": .array(piece.content.owners.map(\.json)), "apps": .array(piece.content.apps.map(\.json)),
                    "last": .bool(piece.isLast),
                ]
            )
        case .file(let file): LinkPacket(.file, body: file.body)
        case .viewScene(let id, let update): LinkPacket(.viewScene, id: id, body: update)
        case .viewFile(let id, let file): LinkPacket(.viewFile, id: id, body: file.body)
        case .viewEnded(let id, let reason):
            LinkPacket(.viewEnded, id: id, body: ["reason": .string(reason.rawValue)])
        case .shutdown: LinkPacket(.shutdown)
        }
    }

    /// Reads a packet of the host; `wish` is what the ask with the packet's id was for, and matters to `told` alone.
    init(_ packet: LinkPacket, wish: LinkAsk.Wish?) throws(LinkViolation) {
        do throws(MemberFault) {
            switch packet.type {
            case .hello: self = .hello(try LinkHello(packet))
            case .record: self = .record(number: try packet.number, try LinkRecord(packet.body))
            case .floor:
                try Members(packet.body, .strict).end()
                self = .floor(try packet.number)
            case .call: self = .call(id: packet.id, try LinkCall(packet.body))
            case .told:
                guard let wish else { throw .badID(packet.id) }
                self = .told(id: packet.id, wish, try CallAnswer(packet.body, to: wish.callName))
            case .apps: self = .apps(try Piece(packet))
            case .file:
                try packet.expectNoID()
                self = .file(try AppFile(packet.body))
            case .shutdown:
                try packet.expectNoID()
                try Members(packet.body, .strict).end()
                self = .shutdown
            // Whoever opened the view reads it.
            case .viewScene: self = .viewScene(id: packet.id, packet.body)
            case .viewFile: self = .viewFile(id: packet.id, try LinkViewFile(packet.body))
            case .viewEnded:
                var members = Members(packet.body, .strict)
                self = .viewEnded(id: packet.id, try members.word("reason"))
                try members.end()
            case .ready, .taken, .unfit, .answer, .ask, .gates, .viewOpen, .viewEvent: throw .badID(packet.id)
            }
        } catch {
            throw packet.type.isFromHost ? .member(packet.type, error) : .wrongDirection(packet.type)
        }
    }
}

extension LinkHello {
    fileprivate init(_ packet: LinkPacket) throws(MemberFault) {
        try packet.expectNoID()
        var members = Members(packet.body, .strict)
        try members.version()
        journal = try members.shape("journal") { CenterNames.isJournal($0) ? $0 : nil }
        floor = try members.integer("floor", 0...Int64.max)
        try members.end()
    }
}

extension LinkCall {
    fileprivate init(_ body: JSONObject) throws(MemberFault) {
        var members = Members(body, .strict)
        owner = try members.owner()
        topic = try members.topic()
        call = try CenterCall(&members, from: .socket)
        try members.end()
        guard !call.name.isForAppsOnly else { throw .onlyForApps(call.name) }
    }
}

extension Piece<LinkRegistry> {
    fileprivate init(_ packet: LinkPacket) throws(MemberFault) {
        var members = Members(packet.body, .strict)
        let owners = try members.elements("owners", atMost: CenterOwner.limit, CenterOwner.init)
        let apps = try members.elements("apps", atMost: CenterApp.limit, CenterApp.init)
        self.init(
            number: packet.id,
            isLast: try members.flag("last"),
            content: LinkRegistry(owners: owners, apps: apps)
        )
        try members.end()
    }
}

extension LinkPacket {
    /// The id as the number of a record, which is above 0.
    var number: Int64 {
        get throws(MemberFault) {
            guard let number = Int64(exactly: id), number > 0 else { throw .badID(id) }
            return number
        }
    }
}

extension CenterPacket {
    func expectNoID() throws(MemberFault) {
        guard id == 0 else { throw .badID(id) }
    }
}
