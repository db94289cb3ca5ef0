// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Cuts the host's standard output into records.
final class RecordReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let load: Load
    /// The beginning of a line that is not whole.
    private var pending: [UInt8] = []

    init(load: Load) {
        self.load = load
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = NIODeadline.now().uptimeNanoseconds
        let buffer = unwrapInboundIn(data)
        pending += buffer.readableBytesView
        var start = pending.startIndex
        while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
            load.recorded(pending[start..<end], at: now)
            start = end + 1
        }
        pending.removeFirst(start)
        load.postMore()
    }

    func channelInactive(context: ChannelHandlerContext) {
        load.fail("the host closed its output")
    }
}
