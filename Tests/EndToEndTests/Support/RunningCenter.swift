// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// A running centre, in the folder "center" below another.
final class RunningCenter {
    let process = Process()
    private let notes = Pipe()
    /// The words with which it began to serve.
    private(set) var said = ""

    convenience init(_ folder: TemporaryFolder, options: [String] = []) async throws {
        try await self.init(["serve", "--folder", folder.path + "/center"] + options)
    }

    /// Starts the program with these arguments and variables beside its own.
    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        process.executableURL = URL(fileURLWithPath: Programs.notificationCenter)
        process.arguments = arguments
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

    /// Ends it in good order; returns its exit status.
    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
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
