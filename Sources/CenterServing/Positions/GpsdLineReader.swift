// SPDX-License-Identifier: Apache-2.0

import NIOCore
import UserNotificationCenter

/// Cuts what gpsd sends into lines; one that is longer than gpsd's are is an error, which ends the connection.
struct GpsdLineReader: ByteToMessageDecoder {
    typealias InboundOut = [UInt8]

    private static let newline = UInt8(ascii: "\n")

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let seen = buffer.readableBytesView.prefix(GpsdLine.byteLimit + 1)
        guard let end = seen.firstIndex(of: Self.newline) else {
            guard seen.count <= GpsdLine.byteLimit else { throw TooLong() }
            return .needMoreData
        }
        var line = Array(seen[..<end])
        buffer.moveReaderIndex(forwardBy: line.count + 1)
        // gpsd ends its lines as Telnet does.
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        context.fireChannelRead(Self.wrapInboundOut(line))
        return .continue
    }

    /// A line that stops in the middle says nothing.
    mutating func decodeLast(
        context: ChannelHandlerContext,
        buffer: inout ByteBuffer,
        seenEOF: Bool
    ) throws -> DecodingState {
        while case .continue = try decode(context: context, buffer: &buffer) {}
        return .needMoreData
    }

    /// The line is longer than `GpsdLine.byteLimit`.
    struct TooLong: Error {}
}
