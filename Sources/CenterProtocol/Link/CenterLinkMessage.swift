// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A message of the centre to the host.
package enum CenterLinkMessage: Sendable, Equatable {
    case ready
    /// Records that were committed.
    case taken(TakenRanges)
    case unfit(number: Int64, UnfitReason)
    /// The answer to a call of that name.
    case answer(id: UInt64, CallName, CallAnswer)
    case ask(id: UInt64, LinkAsk)
    case gates(Piece<GateList>)
    case viewOpen(id: UInt64, LinkView)
    /// An event of a view; one that has ended meanwhile has no use for it.
    case viewEvent(id: UInt64, JSONObject)

    package var type: LinkMessageType {
        switch self {
        case .ready: .ready
        case .taken: .taken
        case .unfit: .unfit
        case .answer: .answer
        case .ask: .ask
        case .gates: .gates
        case .viewOpen: .viewOpen
        case .viewEvent: .viewEvent
        }
    }

    /// The number of descriptors that travel with the message: one for each file of a notification that it has.
    package var descriptorCount: Int {
        switch self {
        case .viewOpen(_, let view): LinkView.descriptorCount(of: view.notification)
        case .viewEvent(_, let event): LinkView.descriptorCount(of: event["notification"]?.object)
        case .ready, .taken, .unfit, .answer, .ask, .gates: 0
        }
    }
}

/// The reason for which the centre cannot take a record; the host makes it a dead letter.
package enum UnfitReason: String, CaseIterable, Sendable {
    case unknownApp, unknownOwner, badRecord
}

/// A wish of an app that only the host can fulfil.
package struct LinkAsk: Sendable, Equatable {
    package enum Wish: String, CaseIterable, Sendable {
        /// A device token; the same one until it is withdrawn.
        case register
        /// The device token is to be invalid from now on.
        case withdraw

        /// The call of the app that leads to the ask, and whose answer is the host's.
        package var callName: CallName {
            switch self {
            case .register: .register
            case .withdraw: .withdraw
            }
        }
    }

    package var wish: Wish
    package var owner: String
    package var topic: String

    package init(_ wish: Wish, owner: String, topic: String) {
        self.wish = wish
        self.owner = owner
        self.topic = topic
    }
}

// MARK: Packets

extension CenterLinkMessage {
    package var packet: LinkPacket {
        switch self {
        case .ready: return LinkPacket(.ready, body: ["protocol": .integer(centerProtocolVersion)])
        case .taken(let taken): return LinkPacket(.taken, body: ["ranges": taken.json])
        case .unfit(let number, let reason):
            return LinkPacket(.unfit, id: UInt64(clamping: number), body: ["reason": .string(reason.rawValue)])
        case .answer(let id, _, let answer): return LinkPacket(.answer, id: id, body: answer.body)
        case .ask(let id, let ask):
            return LinkPacket(
                .ask,
                id: id,
                body: [
                    "ask": .string(ask.wish.rawValue), "owner": .string(ask.owner), "topic": .string(ask.topic),
                ]
            )
        case .gates(let piece):
            var body = piece.content.body
            body["last"] = .bool(piece.isLast)
            return LinkPacket(.gates, id: piece.number, body: body)
        case .viewOpen(let id, let view): return LinkPacket(.viewOpen, id: id, body: view.body)
        case .viewEvent(let id, let event): return LinkPacket(.viewEvent, id: id, body: event)
        }
    }

    /// Reads a packet of the centre; `name` is that of the call with the packet's id, and matters to `answer` alone.
    init(_ packet: LinkPacket, answering name: CallName?) throws(LinkViolation) {
        do throws(MemberFault) {
            var members = Members(packet.body, .strict)
            switch packet.type {
            case .ready:
                try packet.expectNoID()
                try members.version()
                self = .ready
            case .taken:
                try packet.expectNoID()
                self = .taken(try TakenRanges(&members))
            case .unfit: self = .unfit(number: try packet.number, try members.word("reason"))
            case .answer:
                guard let name else { throw .badID(packet.id) }
                self = .answer(id: packet.id, name, try CallAnswer(packet.body, to: name))
                return
            case .ask:
                let wish: LinkAsk.Wish = try members.word("ask")
                self = .ask(id: packet.id, LinkAsk(wish, owner: try members.owner(), topic: try members.topic()))
            case .gates:
                let gates = try GateList(&members)
                self = .gates(Piece(number: packet.id, isLast: try members.flag("last"), content: gates))
            case .viewOpen: self = .viewOpen(id: packet.id, try LinkView(&members))
            case .viewEvent:
                // Whoever has the view reads it.
                self = .viewEvent(id: packet.id, packet.body)
                return
            case .hello, .record, .floor, .call, .told, .apps, .file, .shutdown, .viewScene, .viewFile,
                .viewEnded:
                throw .badID(packet.id)
            }
            try members.end()
        } catch {
            throw packet.type.isFromHost ? .wrongDirection(packet.type) : .member(packet.type, error)
        }
    }
}
