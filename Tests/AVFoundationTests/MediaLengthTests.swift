// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import AVFoundation

/// The length of a film or a sound by the head of its file.
@MainActor @Suite final class MediaLengthTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func seconds(_ bytes: [UInt8]) throws -> Double? {
        let file = folder.appending(path: UUID().uuidString)
        try Data(bytes).write(to: file)
        return MediaLength.seconds(of: file)
    }

    private func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func little(_ number: Int) -> [UInt8] { big(number).reversed() }

    /// A WAV of 8,000 bytes a second, with a chunk of an odd length before its data.
    private func wave(data: Int, said: Int? = nil) -> [UInt8] {
        let format = Array("fmt ".utf8) + little(16) + [1, 0, 1, 0] + little(8000) + little(8000) + [1, 0, 8, 0]
        let list = Array("LIST".utf8) + little(3) + [0, 0, 0, 0]
        let content = Array("data".utf8) + little(said ?? data) + [UInt8](repeating: 128, count: data)
        return Array("RIFF".utf8) + little(0) + Array("WAVE".utf8) + format + list + content
    }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] { big(8 + content.count) + name.utf8 + content }

    private func movie(_ header: [UInt8]) -> [UInt8] {
        box("ftyp", Array("M4A ".utf8) + big(0)) + box("free", [0, 0]) + box("moov", box("mvhd", header))
    }

    /// A frame of 128 kbit/s and 44,100 samples a second, and as many bytes behind it.
    private func layer3(_ table: [UInt8], bytes: Int) -> [UInt8] {
        [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 32) + table + [UInt8](repeating: 0, count: bytes)
    }

    @Test("a WAV says it by its bytes a second, and says no more than it has")
    func waves() throws {
        #expect(try seconds(wave(data: 20_000)) == 2.5)
        #expect(try seconds(wave(data: 20_000, said: Int(UInt32.max))) == 2.5)
        #expect(try seconds(Array(wave(data: 20_000).prefix(40))) == nil)
    }

    @Test("an MP4 says it in its header, in the short form and in the long one")
    func movies() throws {
        let short = big(0) + big(0) + big(0) + big(600) + big(1500) + [UInt8](repeating: 0, count: 80)
        #expect(try seconds(movie(short)) == 2.5)
        let long = [1, 0, 0, 0] + big(0, 8) + big(0, 8) + big(600) + big(1500, 8) + [UInt8](repeating: 0, count: 80)
        #expect(try seconds(movie(long)) == 2.5)
        let unknown = big(0) + big(0) + big(0) + big(600) + big(Int(UInt32.max)) + [UInt8](repeating: 0, count: 80)
        #expect(try seconds(movie(unknown)) == nil)
        let scaleless = big(0) + big(0) + big(0) + big(0) + big(1500) + [UInt8](repeating: 0, count: 80)
        #expect(try seconds(movie(scaleless)) == nil)
    }

    @Test("an MP3 says it by its table, or by its size and rate, behind a tag too")
    func sounds() throws {
        #expect(try seconds(layer3([], bytes: 32_000 - 36)) == 2)
        let table = Array("Xing".utf8) + big(1) + big(100)
        let told = try #require(try seconds(layer3(table, bytes: 5000)))
        #expect(abs(told - 100 * 1152 / 44_100) < 1e-9)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0xFF, count: 128)
        #expect(try seconds(tag + layer3([], bytes: 32_000 - 36)) == 2)
    }

    @Test("boxes that contain themselves, have no room or end nowhere say nothing")
    func hostile() throws {
        let start = box("ftyp", big(0) + big(0))
        for bad in [big(0) + Array("free".utf8), big(7) + Array("moov".utf8), big(1) + Array("moov".utf8) + big(8, 8)] {
            #expect(try seconds(start + bad) == nil)
        }
        let endless = start + Array(repeatElement(box("free", []), count: 1000).joined())
        #expect(try seconds(endless + box("moov", box("mvhd", [UInt8](repeating: 1, count: 100)))) == nil)
        #expect(try seconds([]) == nil)
        #expect(try seconds([UInt8](repeating: 0xFF, count: 5000)) == nil)
        #expect(MediaLength.seconds(of: folder) == nil)
        #expect(MediaLength.seconds(of: folder.appending(path: "none")) == nil)
    }

    @Test(
        "a file of another kind says nothing, though bytes of it look like a frame",
        arguments: ["OggS", "FORM", "fLaC"]
    )
    func foreign(_ start: String) throws {
        let head = start.utf8 + [UInt8](repeating: 0, count: 200)
        #expect(try seconds(head + layer3([], bytes: 32_000)) == nil)
    }

    @Test(
        "a pipe that nobody writes to says nothing, at once, and a link says what its file does",
        .timeLimit(.minutes(1))
    )
    func others() throws {
        let pipe = folder.appending(path: "pipe.wav")
        #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
        #expect(MediaLength.seconds(of: pipe) == nil)
        let (file, link) = (folder.appending(path: "a.wav"), folder.appending(path: "link.wav"))
        try Data(wave(data: 20_000)).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(MediaLength.seconds(of: link) == 2.5)
    }

    @Test(
        "a player of bytes has a file of their kind, which goes with it",
        arguments: [("RIFF", "wav"), ("FORM", "aiff"), ("0000ftyp", "m4a"), ("ID3", "mp3")]
    )
    func bytes(_ start: String, _ kind: String) throws {
        var player: AVAudioPlayer? = try AVAudioPlayer(data: Data(start.utf8))
        let file = try #require(player?.url)
        #expect(file.pathExtension == kind)
        #expect(try Data(contentsOf: file) == Data(start.utf8))
        player = nil
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a player knows the length of its file before it plays")
    func player() throws {
        let file = folder.appending(path: "sound.wav")
        try Data(wave(data: 20_000)).write(to: file)
        #expect(try AVAudioPlayer(contentsOf: file).duration == 2.5)
        #expect(AVURLAsset(url: file).duration.seconds == 2.5)
        // An item has it once it is ready, as on iOS.
        #expect(AVPlayerItem(url: file).duration.isIndefinite)
    }
}
