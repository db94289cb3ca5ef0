// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild
@testable import ExtensionHost

/// An object in the place of a file that the host opens at its start.
enum Impostor: String, CaseIterable {
    case pipe, folder, socket, device, sparse, loop, dangling, belowFile

    /// Puts it there; whoever opens it carelessly waits for ever, reads without end, or takes the machine's memory.
    func stand(at path: String) throws {
        switch self {
        case .pipe: #expect(mkfifo(path, 0o755) == 0)
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .socket: try listen(at: path)
        case .device: #expect(symlink("/dev/zero", path) == 0)
        case .sparse:
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(truncate(path, 8 << 30) == 0)
        case .loop: #expect(symlink((path as NSString).lastPathComponent, path) == 0)
        case .dangling: #expect(symlink("nothing", path) == 0)
        case .belowFile: #expect(symlink("/dev/null/x", path) == 0)
        }
    }

    private func listen(at path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // By the folder's descriptor: the path may be longer than an address.
        let place = open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(place) }
        let name = Array("/proc/self/fd/\(place)/\((path as NSString).lastPathComponent)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0)
    }

    var isLink: Bool {
        switch self {
        case .device, .loop, .dangling, .belowFile: true
        case .pipe, .folder, .socket, .sparse: false
        }
    }

    /// The host's error for this object at a path where a file of at most `limit` bytes may stand.
    func message(of path: String, limit: Int) -> String {
        switch self {
        case .pipe, .folder, .socket, .device: "\"\(path)\" is no regular file"
        case .sparse: "\(path): 8589934592 bytes, at most \(limit) are possible"
        case .loop: "\"\(path)\" is not readable: Too many levels of symbolic links"
        case .dangling: "\"\(path)\" is not readable: No such file or directory"
        case .belowFile: "\"\(path)\" is not readable: Not a directory"
        }
    }
}

/// No file of a bundle holds up the start of the host, whatever stands in its place.
@Suite(.timeLimit(.minutes(5)))
struct BundleFileTests {
    private static let information = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.chat.service</string>
        <key>CFBundleExecutable</key><string>Chat</string>
        <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
        <string>com.apple.usernotifications.service</string></dict></dict></plist>
        """

    private func withBundle(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "bundle-\(UUID().uuidString).appex"
        try FileManager.default.createDirectory(atPath: folder + "/en.lproj", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(Self.information.utf8).write(to: URL(fileURLWithPath: folder + "/Info.plist"))
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/Chat"))
        #expect(chmod(folder + "/Chat", 0o755) == 0)
        try body(folder)
    }

    /// All that a start reads of an app's bundle.
    private func read(_ path: String) throws {
        var app = HostConfiguration.App(topic: "com.example.chat")
        app.bundle = try ExtensionBundle(path: path, app: app.topic)
        app.language = "en"
        try app.readTexts(of: nil)
    }

    @Test func `a bundle with all its files is read`() throws {
        try withBundle { path in
            try Data("A = a;".utf8).write(to: URL(fileURLWithPath: path + "/en.lproj/Localizable.strings"))
            try read(path)
        }
    }

    @Test(
        arguments: [
            "en.lproj/Localizable.strings", "en.lproj/Localizable.stringsdict", "en.lproj/Localizable.xcstrings",
            "Localizable.strings", "Localizable.stringsdict", "Localizable.xcstrings", "Info.plist",
        ],
        Impostor.allCases
    )
    func `what stands in a file's place is refused by name`(name: String, impostor: Impostor) throws {
        try withBundle { path in
            let file = path + "/" + name
            unlink(file)
            try impostor.stand(at: file)
            let limit = name == "Info.plist" ? 1 << 20 : 16 << 20
            var error = CommandError(impostor.message(of: file, limit: limit))
            if impostor.isLink, name != "Info.plist" {
                error = CommandError(
                    "\"\(file)\" is a link, or lies behind one",
                    hint: "put a copy of the file into the bundle"
                )
            }
            #expect(throws: error) { try read(path) }
        }
    }

    @Test(arguments: Impostor.allCases)
    func `what stands in the executable's place is refused by name`(impostor: Impostor) throws {
        try withBundle { path in
            let file = path + "/Chat"
            unlink(file)
            try impostor.stand(at: file)
            let error = #expect(throws: CommandError.self) { try read(path) }
            if impostor == .sparse {
                #expect(error == CommandError("\"\(file)\" is not executable", hint: "chmod 755 \(file)"))
            } else {
                #expect(error == CommandError("\"\(file)\" is no regular file"))
            }
        }
    }

    @Test func `an executable of any size is not read`() throws {
        try withBundle { path in
            #expect(truncate(path + "/Chat", 8 << 30) == 0)
            let bundle = try ExtensionBundle(path: path)
            #expect(bundle.isScript)
        }
    }

    @Test func `an Info.plist of 250 bytes that means 2^30 values is refused`() throws {
        try withBundle { path in
            let doubled = PropertyListTests.doubled(30)
            let list = PropertyListTests.binary(doubled)
            #expect(list.count < 250)
            try list.write(to: URL(fileURLWithPath: path + "/Info.plist"))
            let error = #expect(throws: CommandError.self) { try read(path) }
            #expect(
                error?.message == "\(path)/Info.plist: not a property list: it has more than 200000 values"
            )
        }
    }

    @Test(arguments: Impostor.allCases)
    func `a source that is no file is refused by the build`(impostor: Impostor) throws {
        try withBundle { path in
            let file = path + "/Service.swift"
            try impostor.stand(at: file)
            #expect(throws: CommandError(impostor.message(of: file, limit: 16 << 20))) {
                try BundleFile.contents(of: file, atMost: BundleFile.sourceByteCountLimit)
            }
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every file"))
    func `a file without the right to read it is refused by name`() throws {
        try withBundle { path in
            let file = path + "/Info.plist"
            #expect(chmod(file, 0) == 0)
            #expect(throws: CommandError("\"\(file)\" is not readable: Permission denied")) { try read(path) }
        }
    }
}
