// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A file that a host hands over for an app: the app's picture, or one of its sounds.
///
/// The file itself is a descriptor, which is open for reading.
package struct AppFile: Sendable, Hashable {
    /// Sounds of one app.
    package static let soundLimit = 32
    /// Files of one list of apps.
    package static let limit = CenterApp.limit * (soundLimit + 1)

    package var topic: String
    package var use: AppFileUse

    package init(topic: String, _ use: AppFileUse) {
        self.topic = topic
        self.use = use
    }
}

/// The use of an app's file, which decides the bytes that it may have.
///
/// Nothing decodes a file: its first bytes say what it is.
package enum AppFileUse: Sendable, Hashable {
    /// A picture beside the app's name.
    case icon
    /// A sound, by the name of its file.
    case sound(String)

    /// The number of bytes at the start of a file that `fits` reads.
    package static let lookedAtByteCount = 12

    private typealias SoundType = (ending: String, media: String, fits: @Sendable ([UInt8]) -> Bool)

    private static let soundTypes: [SoundType] = [
        ("wav", "audio/wav", { $0.isContainer("RIFF", of: ["WAVE"]) }),
        ("aiff", "audio/aiff", { $0.isContainer("FORM", of: ["AIFF", "AIFC"]) }),
        (
            "mp3", "audio/mpeg",
            { $0.starts(with: "ID3".utf8) || ($0.count >= 2 && $0[0] == 0xFF && $0[1] & 0xE0 == 0xE0) }
        ),
        ("m4a", "audio/mp4", { $0.dropFirst(4).starts(with: "ftyp".utf8) }),
        ("ogg", "audio/ogg", { $0.starts(with: "OggS".utf8) }),
    ]

    /// The endings of names that sounds have.
    package static var soundEndings: [String] { soundTypes.map(\.ending) }

    /// Tells whether a sound may be called so: `[A-Za-z0-9 ._-]{1,64}`, with the ending of a sound.
    package static func isSoundName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                // A letter in lower case.
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || " ._-".utf8.contains(byte)
            } && soundType(of: name) != nil
    }

    private static func soundType(of name: String) -> SoundType? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let ending = name[name.utf8.index(after: dot)...].lowercased()
        return soundTypes.first { $0.ending == ending }
    }

    /// The greatest number of bytes; a file has one at least.
    package var maximumByteCount: Int {
        switch self {
        case .icon: 1 << 20
        case .sound: 5 << 20
        }
    }

    /// Media type, without parameters.
    package var mediaType: String {
        switch self {
        case .icon: "image/png"
        case .sound(let name): Self.soundType(of: name)?.media ?? "application/octet-stream"
        }
    }

    /// Tells whether a file is what it is called, by its first bytes: an icon is a PNG, a sound of the type of its
    /// name.
    package func fits(_ start: some Collection<UInt8>) -> Bool {
        let start = Array(start.prefix(Self.lookedAtByteCount))
        return switch self {
        case .icon: start.starts(with: [0x89] + "PNG\r\n\u{1A}\n".utf8)
        case .sound(let name): Self.soundType(of: name)?.fits(start) ?? false
        }
    }
}

extension [UInt8] {
    /// Four letters, a length, four letters.
    fileprivate func isContainer(_ container: String, of contents: [String]) -> Bool {
        starts(with: container.utf8) && contents.contains { dropFirst(8).starts(with: $0.utf8) }
    }
}

// MARK: JSON

extension AppFile {
    var body: JSONObject {
        var object: JSONObject = ["topic": .string(topic)]
        if case .sound(let name) = use { object["sound"] = .string(name) }
        return object
    }

    init(_ body: JSONObject) throws(MemberFault) {
        var members = Members(body, .strict)
        topic = try members.topic()
        let name = try members.optionalShape("sound") { AppFileUse.isSoundName($0) ? $0 : nil }
        use = name.map(AppFileUse.sound) ?? .icon
        try members.end()
    }
}
