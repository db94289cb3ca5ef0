// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import DesktopPresenter

/// Desktop files, from which a click on a popup starts a program.
struct DesktopFileTests {
    private static let address = PageAddress("https://chat.example.org/?target=1")

    private func words(_ exec: String, address: PageAddress? = address, _ more: String = "") throws -> [String] {
        let text = "[Desktop Entry]\nType=Application\nName=Chat\nName[es]=Charla\nIcon=chat\nExec=\(exec)\n\(more)"
        let file = try #require(DesktopFile(Array(text.utf8)))
        return try file.command(at: "/data/chat.desktop", showing: address, in: "es")
    }

    // MARK: The command

    @Test(
        arguments: [
            ("chat", ["chat"]), ("  chat   --now ", ["chat", "--now"]),
            (#""/opt/My Chat/chat" -x"#, ["/opt/My Chat/chat", "-x"]),
            ("chat %u", ["chat", "https://chat.example.org/?target=1"]),
            ("chat %U", ["chat", "https://chat.example.org/?target=1"]),
            ("chat --open=%u", ["chat", "--open=https://chat.example.org/?target=1"]), ("chat %f %F", ["chat"]),
            ("chat %i", ["chat", "--icon", "chat"]), ("chat %c", ["chat", "Charla"]),
            ("chat %k", ["chat", "/data/chat.desktop"]), ("chat 100%%", ["chat", "100%"]),
            ("chat %%u", ["chat", "%u"]), ("chat a%dm", ["chat", "am"]),
            (#"chat "a \\"b\\" \\$c \\`d\\\\""#, ["chat", #"a "b" $c `d\"#]),
            (#"chat "> & ; (x)""#, ["chat", "> & ; (x)"]),
            (#"chat\sb "\\\\""#, ["chat", "b", #"\"#]), (#"chat """#, ["chat", ""]),
            ("chat é\u{301}", ["chat", "é\u{301}"]),
        ] as [(String, [String])]
    )
    func `a command is words without a shell`(exec: String, words: [String]) throws {
        let read = try self.words(exec)
        #expect(read == words)
    }

    @Test func `without an address its codes are nothing`() throws {
        let alone = try words("chat %u %U x%uy", address: nil)
        #expect(alone == ["chat", "xy"])
    }

    @Test(
        arguments: [
            "chat $HOME", "chat `id`", "chat > x", "chat a;b", "chat a&b", "chat 'a b'", "chat ~", "chat *", "chat #x",
            "chat \"a", "chat a\"b\"", "\"chat\"b", #"chat "\\n""#, #"chat "$a""#, "chat %", "chat %x", "chat x%U",
            "chat --icon=%i", #""""#, "%u", #"chat \\"#, #"chat \x"#,
        ]
    )
    func `what is no command by the rules starts nothing`(exec: String) {
        #expect(throws: DesktopFile.Fault.malformedCommand) { try words(exec, address: nil) }
    }

    @Test func `a command of more words than one has is none`() throws {
        let most = try words("chat" + String(repeating: " a", count: 255))
        #expect(most.count == 256)
        #expect(throws: DesktopFile.Fault.malformedCommand) {
            try words("chat" + String(repeating: " a", count: 256))
        }
    }

    @Test func `a unit of its own gets the words as they are, and what it starts goes on without it`() {
        let arguments = ["$HOME", "${HOME}", "a$$b", "100%", ""]
        let words = UnitCommand.words(of: "/bin/systemd-run", "/opt/$x/chat", arguments, handing: ["TOKEN"])
        #expect(
            words == [
                "/bin/systemd-run", "--user", "--quiet", "--collect", "--wait", "--property=KillMode=process",
                "--setenv=TOKEN", "--", "/opt/$x/chat", "$$HOME", "$${HOME}", "a$$$$b", "100%", "",
            ]
        )
    }

    // MARK: The file

    @Test(
        arguments: [
            ("Type=Application\nTerminal=true\nExec=chat", .needsTerminal), ("Type=Application", .noCommand),
            ("Type=Application\nExec=", .noCommand), ("Type=Link\nExec=chat", .noApplication),
            ("Exec=chat", .noApplication),
            ("Type=Application\nHidden=true\nExec=chat", .noApplication),
            ("[Other]\nType=Application\nExec=chat", .noApplication),
        ] as [(String, DesktopFile.Fault)]
    )
    func `a file that starts nothing says why`(lines: String, fault: DesktopFile.Fault) throws {
        let file = try #require(DesktopFile(Array("[Desktop Entry]\n\(lines)\n".utf8)))
        #expect(throws: fault) { try file.command(at: "/x", showing: nil, in: "en") }
    }

    @Test func `comments, other groups, blanks and a second value of a key are passed over`() throws {
        let text = """
            # Exec=comment
            Exec=before
            [Desktop Entry]\r
            Type = Application \r
            Exec = chat --one \r
            Exec=second
            DBusActivatable=true
            TryExec=chat
            [Desktop Action new]
            Exec=other
            """
        let file = try #require(DesktopFile(Array(text.utf8)))
        let words = try file.command(at: "/x", showing: nil, in: "en")
        #expect(words == ["chat", "--one"])
        #expect(file.isActivatable)
        #expect(file.required == "chat")
    }

    @Test func `a file that is too long or no text is none`() {
        #expect(DesktopFile(Array(repeating: UInt8(ascii: "\n"), count: 65_536)) != nil)
        #expect(DesktopFile(Array(repeating: UInt8(ascii: "\n"), count: 65_537)) == nil)
        #expect(DesktopFile(Array("[Desktop Entry]\nExec=".utf8) + [0xFF]) == nil)
    }

    // MARK: The id

    @Test(
        arguments: [
            ("org.example.Chat", "org.example.Chat", "/org/example/Chat"),
            ("org.example.My-Chat", "org.example.My-Chat", "/org/example/My_Chat"), ("chat", nil, "/chat"),
            ("org.7zip.Chat", nil, "/org/7zip/Chat"), ("org..Chat", nil, "/org//Chat"),
        ] as [(String, String?, String)]
    )
    func `an id gives a name and an object on the bus`(id: String, name: String?, path: String) throws {
        let entry = try #require(DesktopEntry(id))
        #expect(entry.busName == name)
        #expect(entry.objectPath == path)
    }

    @Test(
        arguments: [
            ("chat", ["chat"]), ("kde-my-chat", ["kde-my-chat", "kde/my-chat", "kde/my/chat"]),
            ("a-..-chat", ["a-..-chat"]), ("a--b-", ["a--b-", "a/-b-"]),
        ]
    )
    func `a dash of an id may be a folder, and none leads out`(id: String, paths: [String]) throws {
        let entry = try #require(DesktopEntry(id))
        #expect(entry.paths == paths.map { "applications/\($0).desktop" })
    }

    @Test(arguments: [
        "", "../chat", "a/b", "-chat", ".chat", "chat.desktop", "a b", String(repeating: "a", count: 129),
    ])
    func `what is no id is none`(id: String) {
        #expect(DesktopEntry(id) == nil)
    }

    // MARK: The actions

    @Test(
        arguments: [
            ("new;archive;", "archive", true), ("archive", "archive", true), ("new;", "archive", false),
            (";;", "", false), ("archive-all;", "archive", false), (#"a\;b;"#, "a", false),
        ]
    )
    func `an action is one that the file lists`(actions: String, action: String, isListed: Bool) throws {
        let file = try #require(DesktopFile(Array("[Desktop Entry]\nActions=\(actions)\n".utf8)))
        #expect(file.offers(action) == isListed)
    }

    @Test func `a file without actions has none`() throws {
        let file = try #require(DesktopFile(Array("[Desktop Entry]\n[Desktop Action new]\nActions=new\n".utf8)))
        #expect(!file.offers("new"))
    }

    @Test func `without an address and a desktop file there is nothing to open`() {
        #expect(Opening(address: nil, isPage: false, entry: nil, action: "new", token: nil) == nil)
        #expect(Opening(address: nil, isPage: false, entry: DesktopEntry("chat"), token: nil) != nil)
        #expect(Opening(address: Self.address, isPage: true, token: nil) != nil)
    }
}
