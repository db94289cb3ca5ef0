// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Connections that watch the events of one owner, read by one thread.
///
/// The thread waits for whoever comes first, and then for one after the other: it wakes seldom, so that it takes little
/// of the processors that the centre needs.
final class WatcherSet {
    private static let end = Array("\n\n\r\n".utf8)

    private let connections: [HTTPConnection]
    private var polled: [pollfd]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    /// Bytes of the last event on the wire.
    private(set) var eventByteCount = 0

    init(_ center: CenterProcess, count: Int) throws {
        connections = try (0..<count).map { _ in
            let connection = try center.connect()
            try connection.watch()
            return connection
        }
        polled = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until each has a whole event; returns the milliseconds of the watch at the first and at the last one.
    func waitForAll(_ watch: Stopwatch) throws -> (first: Double, last: Double) {
        try Watchdog.shared.within(60, "the centre, to a watcher,") {
            while poll(&polled, nfds_t(polled.count), -1) < 0 {
                guard errno == EINTR else { throw BenchError.system("poll") }
            }
            let first = watch.milliseconds
            for connection in connections { eventByteCount = try takeEvent(connection.descriptor) }
            return (first, watch.milliseconds)
        }
    }

    /// Takes a whole event, and returns its length.
    private func takeEvent(_ descriptor: CInt) throws -> Int {
        var byteCount = 0
        var tail: [UInt8] = []
        while tail != Self.end {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw BenchError("the centre lets a watcher go") }
            byteCount += count
            tail = Array((tail + buffer[..<count].suffix(Self.end.count)).suffix(Self.end.count))
        }
        return byteCount
    }
}
