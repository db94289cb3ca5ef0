// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// Opens the files that opened payloads named, a piece for each packet of the host.
///
/// Between two pieces payloads are opened: no file keeps them waiting for longer than a chunk takes.
/// Source: PROTOCOL.md, "Sealed files".
final class SealedFiles {
    /// Half a chunk, so that two packets carry what one piece of the host can open.
    private static let pieceByteCount = 1 << 15

    let receiver: AttachmentReceiver
    private let socket: HostSocket
    /// The host's number for the file at hand; nil when there is none, any more or yet.
    private var current: UInt64?
    private var last: UInt64 = 0

    init(_ receiver: AttachmentReceiver, _ socket: HostSocket) {
        self.receiver = receiver
        self.socket = socket
    }

    func answer(_ message: HostSocket.Message) throws(Ending) {
        switch message {
        case .packet(let packet) where packet.type == .sealedFile: try begin(packet)
        case .packet: throw .protocolViolation("a packet is no request to open")
        case .bytes(let id, let count): try take(count, of: id)
        }
    }

    private func begin(_ packet: Packet) throws(Ending) {
        guard packet.id > last, let index = packet.body["index"]?.integer.flatMap(Int.init(exactly:)),
            let payload = packet.body["payload"]?.integer.flatMap(UInt64.init(exactly:))
        else { throw .protocolViolation("a request to open a file lacks payload or index, or its id does not rise") }
        last = packet.id
        let isHeld = receiver.begin(.init(payload: payload, index: index))
        current = isHeld ? packet.id : nil
        try say(packet.id, isHeld ? ["state": "more"] : ["error": "forgotten"])
    }

    private func take(_ count: Int, of id: UInt64) throws(Ending) {
        guard id == current else { throw .protocolViolation("bytes of a file that was not begun") }
        let isDone = try socket.withBytes(count) { bytes throws(Ending) in try take(bytes, of: id) }
        if isDone != false { current = nil }
        switch isDone {
        case true?: try say(id, ["state": "done"])
        case false?: try say(id, ["state": "more"])
        case nil: try say(id, ["error": "notOpened"])
        }
    }

    /// Takes a piece of a file, and returns whether it was the last.
    ///
    /// `nil` means that the file does not open; why not is no business of the host.
    private func take(_ bytes: Span<UInt8>, of id: UInt64) throws(Ending) -> Bool? {
        do {
            return try receiver.take(bytes) { plaintext throws(Ending) in try handOut(plaintext, of: id) }
        } catch let ending as Ending {
            throw ending
        } catch {
            return nil
        }
    }

    private func handOut(_ plaintext: Span<UInt8>, of id: UInt64) throws(Ending) {
        var rest = 0..<plaintext.count
        while !rest.isEmpty {
            let end = min(rest.upperBound, rest.lowerBound + Self.pieceByteCount)
            try socket.send(BytesPacket.encode(.fileBytes, id: id, plaintext.extracting(rest.lowerBound..<end)))
            rest = end..<rest.upperBound
        }
    }

    private func say(_ id: UInt64, _ body: JSONObject) throws(Ending) {
        try socket.send(Packet(.fileState, id: id, body: body))
    }
}
