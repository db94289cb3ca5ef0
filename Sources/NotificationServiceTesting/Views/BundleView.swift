// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Locking
import NotificationPayload
import SceneModel

/// A view in a process of `extension-host`, to which this one speaks: steps go there and states come back, as JSON a
/// line.
///
/// The process is told to end with its last reference, and ends then by itself.
final class BundleView: ViewDoor {
    /// The longest line of a state: a scene of its bounds, as JSON with room to spare.
    private static let lineByteCount = 8 << 20

    private let socket: FileHandle
    private let lastStep = Locked(0)
    private let said = Locked("")

    /// Starts a command; a state is over when the command has ended.
    init(_ command: [String], _ state: ViewState) throws {
        var ends: [Int32] = [0, 0]
        // A socket and not pipes, so that one whose other end is gone is an error and not a signal.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw BundleProblem(description: "no socket can be made: \(String(cString: strerror(errno)))")
        }
        socket = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let (ours, said) = (socket, said)
        Thread.detachNewThread {
            let words = Self.converse(command, theirs, ours) { line in Self.take(line, state) }
            said.withLock { $0 = words }
            state.change { $0.isOver = true }
        }
    }

    /// The messages of the command to people; empty while it runs.
    var words: String { said.withLock { $0 } }

    /// Hands an act over, and returns once the state has what it led to.
    ///
    /// Throws `ViewProblem` for one that is not possible.
    func take(_ act: ViewAct, _ state: ViewState) async throws {
        let number = try lastStep.withLock { last in
            try send(act.json)
            last += 1
            return last
        }
        try await state.wait { ($0.step ?? 0) >= number || $0.isOver }
        if let problem = state.current.problems[number] { throw problem }
        guard (state.current.step ?? 0) >= number else { throw gone }
    }

    deinit { letGo() }

    /// Ends the view, and returns once it has ended.
    func close(_ state: ViewState) async {
        letGo()
        try? await state.wait { $0.isOver }
    }

    private func letGo() { shutdown(socket.fileDescriptor, Int32(SHUT_WR)) }

    private var gone: ViewProblem {
        ViewProblem("extension-host has ended", hint: words.isEmpty ? nil : words)
    }

    private func send(_ object: JSONObject) throws(ViewProblem) {
        let bytes = object.serialized + [UInt8(ascii: "\n")]
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.fileDescriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw gone }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: The command's end

    /// Runs the command to its end, and returns what it said to people.
    private static func converse(
        _ command: [String],
        _ theirs: FileHandle,
        _ ours: FileHandle,
        _ take: ([UInt8]) -> Void
    ) -> String {
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: errors) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = theirs
        process.standardOutput = theirs
        do {
            try Data().write(to: errors)
            process.standardError = try FileHandle(forWritingTo: errors)
            try BundleTest.starting.withLock { try process.run() }
            try theirs.close()
        } catch {
            return "\(command[0]) cannot be started: \(error.localizedDescription)"
        }
        readLines(ours.fileDescriptor, take)
        process.waitUntilExit()
        let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        return said.trimmingCharacters(in: .newlines)
    }

    /// Reads to the end of a socket; a line beyond its bound is the end as well.
    private static func readLines(_ descriptor: Int32, _ take: ([UInt8]) -> Void) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while rest.count <= lineByteCount {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += buffer[..<count]
            var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines { take(Array(line)) }
        }
    }

    /// Takes a state that the command has printed; another line is none.
    private static func take(_ line: [UInt8], _ state: ViewState) {
        guard let object = try? JSONObject(parsing: line.span), let step = object["step"]?.integer.map(Int.init),
            let body = object["scene"]?.object, let update = try? SceneUpdate(body)
        else { return }
        var tree = SceneTree()
        guard (try? tree.apply(update)) != nil else { return }
        state.change { moment in
            moment.tree = tree
            moment.calls = object["calls"]?.array?.compactMap(\.string) ?? []
            moment.ended = object["ended"]?.string
            moment.step = step
            if let error = object["error"]?.string {
                moment.problems[step] = ViewProblem(error, hint: object["hint"]?.string)
            }
        }
    }
}
