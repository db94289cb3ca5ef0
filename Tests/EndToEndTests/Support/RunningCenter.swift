// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A running centre, in the folder "center" below another.
final class RunningCenter {
    let process = Process()
    private let notes = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    /// The words with which it began to serve.
    private(set) var said = ""

    convenience init(_ folder: TemporaryFolder, options: [String] = []) async throws {
        try await self.init(["serve", "--folder", folder.path + "/center"] + options)
    }

    /// Starts the program with these arguments and variables beside its own.
    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        process.executableURL = URL(fileURLWithPath: Programs.notificationCenter)
        process.arguments = arguments
        process.terminationHandler = { [ended] _ in ended.signal() }
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try ProcessStart.alone {
            process.standardError = notes
            process.standardOutput = FileHandle.nullDevice
            try process.run()
        }
        said = await Self.beginning(of: notes)
        guard said.contains("serving") else { throw NotServing(line: said) }
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// A test that has failed leaves no centre behind.
    deinit { process.end() }

    /// Ends it in good order; returns its exit status.
    ///
    /// One that has not ended after a minute is killed, and the issue says what it was doing.
    func terminate() -> Int32 {
        process.terminate()
        if ended.wait(timeout: .now() + .seconds(60)) == .timedOut {
            Issue.record("a centre that goes on after SIGTERM\n\(activity)")
            Foundation.kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The signals of the process, and the place where each of its threads waits in the kernel.
    private var activity: String {
        let place = "/proc/\(process.processIdentifier)"
        let status = (try? String(contentsOfFile: place + "/status", encoding: .utf8)) ?? "no process"
        let signals = status.split(separator: "\n").filter { line in
            ["State", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"].contains { line.hasPrefix($0) }
        }
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: place + "/task")) ?? []
        let threads = tasks.sorted().map { task in
            let name = (try? String(contentsOfFile: place + "/task/\(task)/comm", encoding: .utf8)) ?? ""
            let wait = (try? String(contentsOfFile: place + "/task/\(task)/wchan", encoding: .utf8)) ?? ""
            return "\(task) \(name.split(separator: "\n").first ?? ""): \(wait)"
        }
        return (signals.map(String.init) + threads).joined(separator: "\n")
    }

    /// Waits until the centre has said this on its standard error, or has ended; returns all that was not read before.
    func said(until end: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [notes] in
                var said = Data()
                while !String(decoding: said, as: UTF8.self).contains(end) {
                    let more = notes.fileHandleForReading.availableData
                    guard !more.isEmpty else { break }
                    said += more
                }
                continuation.resume(returning: String(decoding: said, as: UTF8.self))
            }
        }
    }

    /// The words that it says until it serves, or ends.
    private static func beginning(of pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var said = ""
                while !said.contains("serving") {
                    let data = pipe.fileHandleForReading.availableData
                    guard !data.isEmpty else { break }
                    said += String(decoding: data, as: UTF8.self)
                }
                continuation.resume(returning: said)
            }
        }
    }
}

/// A centre that ended, or said something else, in place of serving.
struct NotServing: Error { let line: String }
