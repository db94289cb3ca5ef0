// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import CenterProtocol

/// The files of apps: what a sound may be called, and what the first bytes of a file must be.
struct AppFileTests {
    @Test(
        arguments: [
            ("a.wav", true), ("Ding 1.WAV", true), ("a_b-c.d.aiff", true), ("x.mp3", true), ("x.m4a", true),
            ("x.ogg", true), (String(repeating: "a", count: 60) + ".wav", true),
            (String(repeating: "a", count: 61) + ".wav", false), ("", false), (".wav", false), ("wav", false),
            ("a.caf", false), ("a.wav.", false), ("../a.wav", false), ("a/b.wav", false), ("a\u{0}.wav", false),
            ("ä.wav", false), ("a\n.wav", false), ("a@.wav", false), ("a[.wav", false), ("a`.wav", false),
        ]
    )
    func `a sound has a name of 64 harmless bytes and an ending`(name: String, isName: Bool) {
        #expect(AppFileUse.isSoundName(name) == isName)
    }

    @Test(
        arguments: [
            (.icon, "\u{1}PNG\r\n\u{1A}\n", false), (.icon, "<svg xmlns", false), (.icon, "GIF89a", false),
            (.icon, "", false), (.sound("a.wav"), "RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ", true),
            (.sound("a.wav"), "RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", false), (.sound("a.wav"), "ID3", false),
            (.sound("a.aiff"), "FORM\u{1}\u{1}\u{1}\u{1}AIFC", true), (.sound("a.mp3"), "ID3", true),
            (.sound("a.m4a"), "\u{1}\u{1}\u{1}\u{1}ftypM4A ", true), (.sound("a.ogg"), "OggS", true),
            (.sound("a.ogg"), "<html>", false),
        ] as [(AppFileUse, String, Bool)]
    )
    func `a file is what it is called, by its first bytes`(use: AppFileUse, start: String, fits: Bool) {
        #expect(use.fits(Array(start.utf8)) == fits)
    }

    @Test func `a PNG is an icon, and the frame of an MPEG a sound`() {
        #expect(AppFileUse.icon.fits([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]))
        #expect(AppFileUse.sound("a.mp3").fits([0xFF, 0xFB]))
        #expect(!AppFileUse.sound("a.mp3").fits([0xFF, 0x1B]))
    }

    @Test(
        arguments: [
            (["topic": "a", "sound": "../a.wav"], .malformed("sound")),
            (["topic": "a", "sound": .null], .wrongKind("sound")), (["sound": "a.wav"], .missing("topic")),
            (["topic": "a", "path": "/a.wav"], .unknownMember(of: "")),
        ] as [(JSONObject, MemberFault)]
    )
    func `a message on a file is strict`(body: JSONObject, fault: MemberFault) {
        #expect(throws: LinkViolation.member(.file, fault)) {
            try HostLinkMessage(LinkPacket(.file, body: body), wish: nil)
        }
    }

    @Test func `a file comes once before a list, and again before the next`() throws {
        var pair = try LinkPair.serving()
        #expect(try pair.say(.file(.icon)) == .file(.icon))
        #expect(try pair.say(.file(.sound)) == .file(.sound))
        var ends = try LinkPair.serving()
        try ends.say(.file(.sound))
        let sent = ends.host.judge(send: .file(.sound))
        #expect(sent.failure == .repeatedFile("com.example.chat"))
        #expect(try ends.center.judge(.file(.sound)) == .failure(.repeatedFile("com.example.chat")))
        try pair.say(.wholeRegistry)
        #expect(try pair.say(.file(.icon)) == .file(.icon))
    }

    @Test func `a list has 33,000 files at most`() throws {
        var assembly = RegistryAssembly()
        for number in 0..<AppFile.limit { try assembly.take(AppFile(topic: "a\(number)", .icon)) }
        #expect(throws: LinkViolation.tooManyFiles(33_001)) { try assembly.take(.icon) }
    }
}
