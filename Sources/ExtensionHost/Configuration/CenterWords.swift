// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// An app of host.yaml as notification centres show it, and how they start it.
struct CenterWords: ConfigurationMapping {
    var name: String?
    var authorization: CenterApp.Authorization?
    /// Absolute path of a picture.
    var icon: String?
    /// Absolute path of a folder.
    var sounds: String?
    var url: String?
    var startSocket: String?
    /// The id of a desktop file, without `.desktop`.
    var desktopEntry: String?
    var pendingLimit = 64

    // MARK: what follows from the keys

    /// The names of the files in the folder of sounds.
    var soundNames: [String] = []

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "name",
            .text,
            \.name,
            "What people call the app.",
            standard: "the topic",
            example: "Chat"
        )
        ConfigurationRow(
            "authorization",
            .choice,
            \.authorization,
            "Whether this app shows nothing before its owner has allowed it (`ask`), or is allowed already (`granted`).",
            standard: "that of the sink `center`",
            example: "granted"
        )
        ConfigurationRow(
            "icon",
            .path,
            \.icon,
            "The app's picture: a PNG of at most 1 MB.",
            example: "chat.png"
        )
        ConfigurationRow(
            "sounds",
            .path,
            \.sounds,
            "The folder of the app's sounds, at most 32 of 5 MB: wav, aiff, mp3, m4a or ogg.",
            example: "./Sounds"
        )
        ConfigurationRow(
            "url",
            .text,
            \.url,
            "The web address at which a person finds the app; a browser opens it when its notification is opened.",
            example: "https://chat.example.org/"
        )
        ConfigurationRow(
            "start-socket",
            .path,
            \.startSocket,
            "A socket that starts the app when somebody connects to it, as a unit of systemd has it.",
            example: "/run/user/1000/chat.sock"
        )
        ConfigurationRow(
            "desktop-entry",
            .text,
            \.desktopEntry,
            "The id of the app's desktop file, without `.desktop`: clicks start it, and it has the badge.",
            example: "org.example.Chat"
        )
        ConfigurationRow(
            "pending-limit",
            .integer(0...1_000_000),
            \.pendingLimit,
            "How many requests of the app may wait for their triggers; `0` is any number.",
            example: "500"
        )
    }

    /// Completes what a centre is told of the app.
    func describe(_ app: inout CenterApp) {
        if let name { app.name = name }
        if let authorization { app.authorization = authorization }
        app.url = url
        app.startSocket = startSocket
        app.desktopEntry = desktopEntry
        app.pendingLimit = Int64(pendingLimit)
    }

    mutating func judge(_ words: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        var faults = ConfigurationFaults()
        if let name, !(1...256).contains(name.utf8.count) {
            faults.add(words.fault(\.name, "must have 1 to 256 bytes"))
        }
        if let url, !Self.isWebAddress(url) {
            faults.add(words.fault(\.url, "must be an address that begins with https:// or http://"))
        }
        if let startSocket, startSocket.utf8.count > 107 {
            faults.add(words.fault(\.startSocket, "must be a path of at most 107 bytes"))
        }
        if let desktopEntry, !CenterNames.isDesktopEntry(desktopEntry) {
            faults.add(
                words.fault(
                    \.desktopEntry,
                    "must be the name of a desktop file without .desktop: 1 to 128 letters, digits, _, . and -"
                )
            )
        }
        if words.scope == .start { readFiles(words, &faults) }
        try faults.check()
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPrintable && text.utf8.count <= 2048
            && ["https://", "http://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}
