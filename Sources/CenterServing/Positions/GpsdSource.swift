// SPDX-License-Identifier: Apache-2.0

package import CenterStore
import Locking
package import Logging
import NIOCore
import NIOPosix
package import UserNotificationCenter

/// The fixes of a GPS receiver, as gpsd on this machine tells them.
///
/// A line that is none of gpsd's ends the connection, and nothing else. A gpsd that is away, or went, is called again:
/// after a second, and twice as long each time, a minute at most. Source: gpsd_json(5).
package struct GpsdSource: PositionSource {
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)
    private static let patience = TimeAmount.seconds(5)

    package let owner: OwnerName
    private let address: GpsdAddress
    private let clock: any Clock<Duration>
    private let logger: Logger

    package init(_ address: GpsdAddress, owner: OwnerName, clock: any Clock<Duration>, logger: Logger) {
        self.address = address
        self.owner = owner
        self.clock = clock
        self.logger = logger
    }

    package func run(_ take: @escaping @Sendable (PositionReport) async -> Void) async {
        var pause = Self.firstPause
        while !Task.isCancelled {
            let wasHeard = Locked(false)
            do {
                try await converse { report in
                    wasHeard.withLock { $0 = true }
                    await take(report)
                }
                logger.info("gpsd has ended the connection")
            } catch {
                guard !Task.isCancelled else { return }
                // The kind of an error alone: a line of gpsd's is a position.
                logger.notice("gpsd not heard", metadata: ["error": "\(Self.word(error))"])
            }
            if wasHeard.withLock(\.self) { pause = Self.firstPause }
            try? await clock.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Asks gpsd to tell what it knows, and reads until it ends.
    private func converse(_ take: (PositionReport) async -> Void) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.patience)
            .connect(to: SocketAddress(ipAddress: address.host, port: Int(address.port))) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(GpsdLineReader()))
                    return try NIOAsyncChannel<[UInt8], ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { lines, commands in
            try await commands.write(ByteBuffer(string: GpsdLine.watch))
            for try await line in lines {
                if case .report(let report) = try GpsdLine(line) { await take(report) }
            }
        }
    }

    private static func word(_ error: any Error) -> String {
        switch error {
        case let fault as GpsdFault: "\(fault)"
        case is GpsdLineReader.TooLong: "tooLong"
        case let failure as IOError: "errno \(failure.errnoCode)"
        default: "\(type(of: error))"
        }
    }
}
