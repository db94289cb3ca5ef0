// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The real programs, built beside the tests; with `NESTBOX_PROGRAMS` those of that folder, as `make release` has them.
package enum Programs {
    package static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["NESTBOX_PROGRAMS"] { return folder }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().path
    }()

    package static var extensionHost: String { folder + "/extension-host" }
    package static var sealPayload: String { folder + "/seal-payload" }
    package static var notificationCenter: String { folder + "/notification-center" }
    package static var notificationDesktop: String { folder + "/notification-desktop" }
    package static var fetchingExtension: String { folder + "/FetchingExtension" }
    package static var misbehavingExtension: String { folder + "/MisbehavingExtension" }

    /// The checkout.
    package static let root: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// The throw-away keys as the opener wants them: a checkout keeps no permissions.
    package static func makeExampleKeysPrivate() throws {
        for name in ["recipient", "sender"] {
            let file = root + "/keys-example/\(name).key"
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
    }

    /// A program of the system, nil when it is not installed.
    package static func installed(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// The exit status of a command, and the text that it printed.
package struct CommandResult {
    package let status: Int32
    package let output: String
    package let errors: String

    /// Runs a command to its end; the input is written and closed.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: String = "",
        environment: [String: String]? = nil
    ) async throws -> CommandResult {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let environment { process.environment = environment }
        let (stdin, stdout, stderr) = try ProcessStart.alone {
            let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
            process.standardInput = stdin
            process.standardOutput = stdout
            process.standardError = stderr
            try process.run()
            return (stdin, stdout, stderr)
        }
        async let output = Self.readAll(stdout)
        async let errors = Self.readAll(stderr)
        Self.write(input, to: stdin)
        let result = (await output, await errors)
        process.waitUntilExit()
        return CommandResult(status: process.terminationStatus, output: result.0, errors: result.1)
    }

    /// A command may end without reading: the signal goes with the thread, which is one of its own like the readers.
    private static func write(_ input: String, to pipe: Pipe) {
        Thread.detachNewThread {
            var brokenPipe = sigset_t()
            sigemptyset(&brokenPipe)
            sigaddset(&brokenPipe, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
            try? pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try? pipe.fileHandleForWriting.close()
        }
    }

    /// Reads on a thread of its own: the tests' tasks must not block.
    private static func readAll(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}

/// A folder for one test.
package struct TemporaryFolder {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package static func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let path = NSTemporaryDirectory() + "nestbox-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(TemporaryFolder(path: path))
    }

    package func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// Lays out a bundle around a program, which is copied.
    package func makeBundle(
        _ name: String,
        program: String,
        attributes: String = "",
        app: String = "com.example.chat"
    ) throws -> String {
        let bundle = path + "/\(name).appex"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        // A child that is being started would hold the copy open for writing, and nobody could run it.
        try ProcessStart.alone { try FileManager.default.copyItem(atPath: program, toPath: bundle + "/" + name) }
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>\(app).service</string>
            <key>CFBundleExecutable</key><string>\(name)</string>
            <key>NSExtension</key><dict>
            <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.service</string>
            <key>NSExtensionPrincipalClass</key><string>\(name).NotificationService</string>
            <key>NSExtensionAttributes</key><dict>\(attributes)</dict>
            </dict></dict></plist>
            """
        try plist.write(toFile: bundle + "/Info.plist", atomically: true, encoding: .utf8)
        return bundle
    }
}

/// A program of the system that a test needs.
package struct ProgramMissing: Error {
    package let name: String

    package init(name: String) {
        self.name = name
    }
}
