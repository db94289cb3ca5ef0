// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import WorkerProtocol

struct PacketTests {
    @Test func `a packet is a type, an id in network order and an object`() throws {
        let packet = Packet(.content, id: 0x0102_0304_0506_0708, body: ["a": 1])
        #expect(try packet.encoded() == [0x82, 1, 2, 3, 4, 5, 6, 7, 8] + Array("{\"a\":1}".utf8))
        #expect(try Packet(.ready).encoded() == [0x81, 0, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8))
    }

    /// The bytes of PROTOCOL.md, "Messages".
    @Test(
        arguments: [
            (.hello, 0x01), (.request, 0x02), (.willExpire, 0x03), (.shutdown, 0x04), (.recall, 0x07), (.open, 0x10),
            (.ready, 0x81), (.content, 0x82), (.log, 0x83), (.returned, 0x86), (.opened, 0x90), (.refused, 0x91),
            (.rejected, 0x92),
            (.unavailable, 0x93),
        ] as [(MessageType, UInt8)]
    )
    func `a type keeps its byte`(type: MessageType, byte: UInt8) throws {
        #expect(type.rawValue == byte)
        #expect(try Packet(type).encoded().first == byte)
    }

    @Test(arguments: MessageType.allCases)
    func `a packet of every type is read as it was written`(type: MessageType) throws {
        for id in [0, 1, 0xFF, 0x100, UInt64(Int64.max), UInt64.max] {
            let packet = Packet(type, id: id, body: ["payload": ["aps": ["alert": "é\n"]], "n": [1, 2.5, nil]])
            #expect(try Packet(try packet.encoded()) == packet)
        }
    }

    @Test func `a byte that is no type is refused by name`() {
        let known = Set(MessageType.allCases.map(\.rawValue))
        #expect(known.count == 26)
        for byte in UInt8.min...UInt8.max where !known.contains(byte) {
            let bytes = [byte] + [UInt8](repeating: 0, count: 8) + Array("{}".utf8)
            #expect(throws: PacketError.unknownType(byte)) { try Packet(bytes) }
        }
    }

    @Test(arguments: 0..<9)
    func `less than a header is too short`(byteCount: Int) {
        let bytes = [UInt8](repeating: 0x81, count: byteCount)
        #expect(throws: PacketError.tooShort(byteCount: byteCount)) { try Packet(bytes) }
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd), ("{", .unexpectedEnd), ("[]", .notAnObject), ("1", .notAnObject),
            ("{} x", .unexpectedByte(offset: 3)), ("{\"a\":1,\"a\":1}", .duplicateKey(offset: 7)),
            ("{\"a\":1e999}", .numberOutOfRange(offset: 5)), ("{\"a\":\"\\u0000\"}", .nulCharacter(offset: 5)),
            ("{\"a\":\"\\ud800\"}", .invalidEscape(offset: 6)), ("\u{0}", .unexpectedByte(offset: 0)),
        ] as [(String, JSONError)]
    )
    func `a body that is no object is refused with its own offset`(body: String, error: JSONError) {
        let bytes = [0x81] + [UInt8](repeating: 0, count: 8) + Array(body.utf8)
        #expect(throws: PacketError.badBody(error)) { try Packet(bytes) }
    }

    @Test func `a body in invalid UTF-8 is refused`() {
        let bytes = [0x81] + [UInt8](repeating: 0, count: 8) + Array("{\"a\":\"".utf8) + [0xC3] + Array("\"}".utf8)
        #expect(throws: PacketError.badBody(.invalidUTF8(offset: 6))) { try Packet(bytes) }
    }

    @Test func `a payload of full depth fits into a body`() throws {
        func body(depth: Int) -> JSONObject {
            ["a": (1..<depth).reduce(into: JSON.null) { value, _ in value = [value] }]
        }
        let deepest = body(depth: Payload.depthLimit)
        _ = try Payload(parsing: deepest.serialized.span)
        let packet = Packet(.content, id: 1, body: ["payload": .object(deepest)])
        #expect(try Packet(try packet.encoded()) == packet)

        let tooDeep = Packet(.content, id: 1, body: body(depth: Packet.depthLimit + 1))
        #expect(throws: PacketError.badBody(.tooDeep(limit: Packet.depthLimit))) {
            try Packet(try tooDeep.encoded())
        }
    }

    // MARK: 65,536 bytes

    /// A packet of exactly so many bytes: 9 of header, 8 around the text.
    private static func packet(byteCount: Int) -> Packet {
        Packet(.log, body: ["a": .string(String(repeating: "x", count: byteCount - 9 - 8))])
    }

    @Test func `a packet of 65,536 bytes is written and read`() throws {
        let packet = Self.packet(byteCount: 65_536)
        let bytes = try packet.encoded()
        #expect(bytes.count == 65_536)
        #expect(try Packet(bytes) == packet)
    }

    @Test func `one byte more is neither written nor read`() throws {
        #expect(throws: PacketError.tooLong(byteCount: 65_537)) { try Self.packet(byteCount: 65_537).encoded() }
        let bytes = try Self.packet(byteCount: 65_536).encoded() + Array(" ".utf8)
        #expect(throws: PacketError.tooLong(byteCount: 65_537)) { try Packet(bytes) }
    }

    @Test func `escapes count as they are written`() {
        // Six bytes for one: 10,921 of them are 65,526 bytes of text.
        let packet = Packet(.log, body: ["a": .string(String(repeating: "\u{1}", count: 10_921))])
        #expect(throws: PacketError.tooLong(byteCount: 65_543)) { try packet.encoded() }
    }
}
