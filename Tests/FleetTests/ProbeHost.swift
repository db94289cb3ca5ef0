// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Locking

/// A host in a process of its own, to which pushes go and which can be killed.
final class ProbeHost: Sendable {
    private struct State {
        var pending: [Int64: CheckedContinuation<Bool?, Never>] = [:]
        var isGone = false
        var isPaused = false
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
    func offer(
        _ offer: Int64,
        _ push: String,
        token: String,
        content: String,
        alert: String,
        topic: String
    ) async -> Bool? {
        await withCheckedContinuation { sender in
            let isThere = state.withLock { state in
                guard !state.isGone, !state.isPaused else { return false }
                state.pending[offer] = sender
                return true
            }
            guard isThere else { return sender.resume(returning: nil) }
            tell("push \(offer) \(push) \(token) \(content) \(alert) \(topic)")
        }
    }

    func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func signal(_ number: Int32) {
        guard !isGone else { return }
        kill(process, number)
    }

    /// Has the process stand still: nobody has an answer from it, and what it is offered goes nowhere.
    func pause() {
        signal(SIGSTOP)
        breakOff { $0.isPaused = true }
    }

    func goOn() {
        state.withLock { $0.isPaused = false }
        signal(SIGCONT)
    }

    private func breakOff(_ change: (inout State) -> Void) {
        let pending = state.withLock { state in
            change(&state)
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
        breakOff { $0.isGone = true }
    }
}
