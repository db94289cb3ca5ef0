// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionHost

/// The other users that may change a bundle, by every file and folder that decides what runs.
struct WritersOfBundleTests {
    /// `BASE/apps/Chat.appex` with a program, Info.plist and a table of texts, which nobody but the owner may write.
    private func withBundle(_ body: (_ base: String) throws -> Void) throws {
        let base = NSTemporaryDirectory() + "writers-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: base) }
        try FileManager.default.createDirectory(
            atPath: base + "/apps/Chat.appex/en.lproj",
            withIntermediateDirectories: true
        )
        for folder in ["", "/apps", "/apps/Chat.appex", "/apps/Chat.appex/en.lproj"] {
            try change(base + folder, to: 0o755)
        }
        for name in ["Chat", "Info.plist", "en.lproj/Localizable.strings"] {
            _ = FileManager.default.createFile(atPath: "\(base)/apps/Chat.appex/\(name)", contents: Data())
            try change("\(base)/apps/Chat.appex/\(name)", to: 0o755)
        }
        try body(base)
    }

    private func change(_ path: String, to mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func writers(isPrivate: Bool = false, user: UInt32 = geteuid()) -> WritersOfBundle {
        WritersOfBundle(user: user, namespace: UserNamespace(map: "0 0 4294967295")) { _, _ in isPrivate }
    }

    private static let places = [
        "/apps", "/apps/Chat.appex", "/apps/Chat.appex/Chat", "/apps/Chat.appex/Info.plist",
        "/apps/Chat.appex/en.lproj", "/apps/Chat.appex/en.lproj/Localizable.strings",
    ]

    @Test(arguments: places, [(0o777, "anyone"), (0o757, "anyone"), (0o775, "its group")])
    func `a bundle that others may write is refused, and the place is named`(
        _ place: String,
        _ mode: (Int, String)
    ) throws {
        try withBundle { base in
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + place, to: mode.0)
            let told = CommandError(
                "\"\(base)\(place)\" can be written by \(mode.1)",
                hint: "chmod go-w \(base)\(place)"
            )
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == told)
        }
    }

    @Test(arguments: places)
    func `a group that is the owner's alone may write`(_ place: String) throws {
        try withBundle { base in
            try change(base + place, to: 0o775)
            #expect(writers(isPrivate: true).refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + place, to: 0o777)
            #expect(writers(isPrivate: true).refusal(of: base + "/apps/Chat.appex") != nil)
        }
    }

    @Test func `below a sticky folder a bundle is its owner's, and in a bundle that helps nothing`() throws {
        try withBundle { base in
            try change(base + "/apps", to: 0o1777)
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
            try change(base + "/apps/Chat.appex", to: 0o1777)
            #expect(writers().refusal(of: base + "/apps/Chat.appex") != nil)
        }
    }

    @Test func `the folder of a link to a bundle counts as well as the bundle's own`() throws {
        try withBundle { base in
            try FileManager.default.createDirectory(atPath: base + "/links", withIntermediateDirectories: false)
            let link = base + "/links/Chat.appex"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: base + "/apps/Chat.appex")
            #expect(writers().refusal(of: link) == nil)
            try change(base + "/links", to: 0o777)
            #expect(writers().refusal(of: link)?.message == "\"\(base)/links\" can be written by anyone")
            try change(base + "/links", to: 0o755)
            try change(base + "/apps", to: 0o777)
            #expect(writers().refusal(of: link)?.message == "\"\(base)/apps\" can be written by anyone")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "giving files away takes root"), arguments: places)
    func `a bundle of another user is refused, and the place is named`(_ place: String) throws {
        try withBundle { base in
            try #require(lchown(base + place, 4711, 0) == 0)
            let refusal = writers().refusal(of: base + "/apps/Chat.appex")
            #expect(refusal?.message == "\"\(base)\(place)\" belongs to user 4711, who may change the bundle")
            // The host's own user may.
            #expect(writers(user: 4711).refusal(of: base + "/apps/Chat.appex") == nil)
            // In a namespace that has no root, what is nobody's may be root's.
            #expect(self.refusal(inNamespace: "0 1000 1", base) == nil)
            // Not so what belongs to somebody of the namespace, nor where root is of it.
            #expect(self.refusal(inNamespace: "0 1000 1\n4711 1001 1", base) == refusal)
            #expect(self.refusal(inNamespace: "0 0 100", base) == refusal)
        }
    }

    private func refusal(inNamespace map: String, _ base: String) -> CommandError? {
        WritersOfBundle(user: 0, namespace: UserNamespace(map: map)) { _, _ in false }
            .refusal(of: base + "/apps/Chat.appex")
    }

    @Test func `a link in a bundle is judged by its owner, not by a mode that every link has`() throws {
        try withBundle { base in
            try FileManager.default.createSymbolicLink(
                atPath: base + "/apps/Chat.appex/link",
                withDestinationPath: "/nowhere"
            )
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
            // What it leads to is outside of the bundle.
            _ = FileManager.default.createFile(atPath: base + "/open", contents: nil)
            try change(base + "/open", to: 0o777)
            try FileManager.default.createSymbolicLink(
                atPath: base + "/apps/Chat.appex/other",
                withDestinationPath: base + "/open"
            )
            #expect(writers().refusal(of: base + "/apps/Chat.appex") == nil)
        }
    }

    @Test func `a folder that a link on the way leads to counts`() throws {
        try withBundle { base in
            for folder in ["/links", "/between"] {
                try FileManager.default.createDirectory(atPath: base + folder, withIntermediateDirectories: false)
                try change(base + folder, to: 0o755)
            }
            try FileManager.default.createSymbolicLink(
                atPath: base + "/links/step",
                withDestinationPath: base + "/between"
            )
            try FileManager.default.createSymbolicLink(
                atPath: base + "/between/sub",
                withDestinationPath: base + "/apps"
            )
            let path = base + "/links/step/sub/Chat.appex"
            #expect(writers().refusal(of: path) == nil)
            try change(base + "/between", to: 0o777)
            #expect(writers().refusal(of: path)?.message == "\"\(base)/links/step\" can be written by anyone")
        }
    }

    @Test func `a bundle of more entries than are looked at is refused`() throws {
        try withBundle { base in
            let bundle = base + "/apps/Chat.appex"
            // Four are there.
            for number in 5...WritersOfBundle.entryLimit {
                let file = open("\(bundle)/\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
                try #require(file >= 0)
                close(file)
            }
            #expect(writers().refusal(of: bundle) == nil)
            _ = FileManager.default.createFile(atPath: bundle + "/more", contents: nil)
            #expect(writers().refusal(of: bundle)?.message == "\"\(bundle)\" holds more than 20000 files and folders")
        }
    }

    /// An access list that lets user 4711 write, and nobody else but the owner: version 2, then tag, rights and id.
    private static let accessList: [UInt8] =
        [2, 0, 0, 0]
        + [(1, 7, nil), (2, 7, 4711), (4, 5, nil), (16, 7, nil), (32, 5, nil)].flatMap {
            (entry: (tag: UInt8, rights: UInt8, id: UInt32?)) in
            [entry.tag, 0, entry.rights, 0] + withUnsafeBytes(of: (entry.id ?? .max).littleEndian, Array.init)
        }

    private static let hasAccessLists: Bool = {
        let file = NSTemporaryDirectory() + "writers-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        defer { unlink(file) }
        return setAccessList(of: file)
    }()

    /// setxattr(2), of which Foundation's C library module knows nothing.
    private static func setAccessList(of file: String) -> Bool {
        typealias Text = UnsafePointer<CChar>
        typealias Call = @convention(c) (Text, Text, UnsafeRawPointer, Int, CInt) -> CInt
        guard let symbol = dlsym(nil, "setxattr") else { return false }
        let call = unsafeBitCast(symbol, to: Call.self)
        return call(file, "system.posix_acl_access", accessList, accessList.count, 0) == 0
    }

    @Test(.enabled(if: hasAccessLists, "needs a disk with access lists"))
    func `with an access list a group that is the owner's alone is no excuse`() throws {
        try withBundle { base in
            let program = base + "/apps/Chat.appex/Chat"
            try #require(Self.setAccessList(of: program))
            #expect(
                writers(isPrivate: true).refusal(of: base + "/apps/Chat.appex")?.message
                    == "\"\(program)\" can be written by its group"
            )
        }
    }

    /// Each user of this machine with each group: against the two files themselves.
    @Test func `a private group is the user's first one, of the user's name, without another member`() throws {
        func rows(_ file: String) throws -> [[String]] {
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
                $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            }
        }
        let groups = try rows("/etc/group")
        for user in try rows("/etc/passwd") {
            for group in groups {
                let members = group[3].split(separator: ",").map(String.init)
                let isPrivate =
                    user[3] == group[2] && user[0] == group[0] && members.allSatisfy { $0 == user[0] }
                let (gid, uid) = (try #require(UInt32(group[2])), try #require(UInt32(user[2])))
                #expect(WritersOfBundle.own.isPrivateGroup(gid, uid) == isPrivate, "\(user[0]) \(group[0])")
            }
        }
    }

    @Test func `host.yaml names a bundle that others may write in its error`() throws {
        try withBundle { base in
            let bundle = base + "/apps/Chat.appex"
            let plist = """
                <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
                <key>CFBundleIdentifier</key><string>com.example.chat.service</string>
                <key>CFBundleExecutable</key><string>Chat</string>
                <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
                <string>com.apple.usernotifications.service</string></dict></dict></plist>
                """
            try plist.write(toFile: bundle + "/Info.plist", atomically: false, encoding: .utf8)
            let yaml = "listen: { apns: { port: 0, plaintext: true } }\napps: [{ topic: com.example.chat, "
            let file = base + "/host.yaml"
            try (yaml + "extension: apps/Chat.appex }]").write(toFile: file, atomically: false, encoding: .utf8)
            _ = try HostConfiguration(file: file)
            try change(bundle, to: 0o777)
            #expect(
                throws: CommandError(
                    "\(file):2: extension of app \"com.example.chat\" is not usable: "
                        + "\"\(bundle)\" can be written by anyone",
                    hint: "chmod go-w \(bundle)"
                )
            ) { try HostConfiguration(file: file) }
        }
    }
}
