// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Locking

/// A host in a process of its own, to which pushes go and which can be killed.
final class ProbeHost: Sendable {
    private struct State {
        var pending: [Int64: CheckedContinuation<Bool?, Never>] = [:]
        var isGone = false
    }

    let process: pid_t
    private let input: Int32
    private let state = Locked(State())
    private let heard: @Sendable ([String]) -> Void

    /// Starts one; `heard` is told the words of each line but answers, in their order, on a thread of its own.
    init(
        _ name: String,
        _ conninfo: String,
        lease: Int,
        heard: @escaping @Sendable ([String]) -> Void
    ) throws {
        var pair: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw POSIXError(.EMFILE)
        }
        let probe = Process()
        probe.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "fleet-probe")
        probe.arguments = [name, conninfo, String(lease)]
        let output = Pipe()
        probe.standardInput = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
        probe.standardOutput = output
        try probe.run()
        process = probe.processIdentifier
        input = pair[0]
        self.heard = heard
        let lines = output.fileHandleForReading
        Thread.detachNewThread { [self] in listen(lines) }
    }

    deinit { close(input) }

    var isGone: Bool { state.withLock(\.isGone) }

    /// Offers a push; nil: nobody answered.
    func offer(_ offer: Int64, _ push: String, token: String, content: String) async -> Bool? {
        await withCheckedContinuation { sender in
            let isGone = state.withLock { state in
                if !state.isGone { state.pending[offer] = sender }
                return state.isGone
            }
            if isGone { return sender.resume(returning: nil) }
            tell("push \(offer) \(push) \(token) \(content)")
        }
    }

    func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func signal(_ number: Int32) { kill(process, number) }

    /// Whoever waits for an answer has none, as if the connection had broken.
    func breakOff() {
        let pending = state.withLock { state in
            defer { state.pending = [:] }
            return state.pending.values
        }
        for sender in pending { sender.resume(returning: nil) }
    }

    private func listen(_ lines: FileHandle) {
        var rest: [UInt8] = []
        while true {
            let piece = lines.availableData
            if piece.isEmpty { break }
            rest += piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").map(String.init)
                rest.removeSubrange(...end)
                if words.count == 3, words[0] == "answer", let offer = Int64(words[1]) {
                    let sender = state.withLock { $0.pending.removeValue(forKey: offer) }
                    sender?.resume(returning: words[2] == "yes")
                } else {
                    heard(words)
                }
            }
        }
        state.withLock { $0.isGone = true }
        breakOff()
    }
}
