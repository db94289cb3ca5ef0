// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The length of a film or a sound as the head of its file says it: WAV, MP4 and its relatives, and MP3.
///
/// A file is hostile: each step reads a bounded part of it, and a walk ends after a bounded number of steps.
struct MediaLength {
    private let file: FileHandle
    private let size: UInt64
    /// The boxes or chunks of a file that are passed over at most.
    private static let mostSteps = 256
    /// The bytes behind a tag in which the first frame of an MP3 is looked for.
    private static let frameSearch = 4096

    /// `nil` for anything but a regular file that can be read.
    private init?(_ url: URL) {
        let path = url.resolvingSymlinksInPath().path
        let kind = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        // Whoever opens a pipe waits for a writer.
        guard url.isFileURL, kind == .typeRegular, let file = try? FileHandle(forReadingFrom: url),
            let size = try? file.seekToEnd()
        else { return nil }
        (self.file, self.size) = (file, size)
    }

    /// Returns the seconds of a file; `nil` when its head does not say them, or it is of another kind.
    static func seconds(of url: URL) -> Double? {
        guard let reader = MediaLength(url) else { return nil }
        defer { try? reader.file.close() }
        guard let head = reader.bytes(at: 0, 12) else { return nil }
        let seconds =
            if head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WAVE".utf8) {
                reader.wave()
            } else if head[4..<8].elementsEqual("ftyp".utf8) {
                reader.movie()
            } else {
                reader.layer3(head)
            }
        return seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private func bytes(at place: UInt64, _ count: Int) -> [UInt8]? {
        // The file may have grown since its size was taken.
        guard UInt64(count) <= size, place <= size - UInt64(count), (try? file.seek(toOffset: place)) != nil,
            let data = try? file.read(upToCount: count),
            data.count == count
        else { return nil }
        return Array(data)
    }

    private func wave() -> Double? {
        var place: UInt64 = 12
        var bytesPerSecond = 0.0
        for _ in 0..<Self.mostSteps {
            guard let head = bytes(at: place, 8) else { return nil }
            let length = UInt64(head[4...].reversed().bigEndian)
            if head.starts(with: "fmt ".utf8), let format = bytes(at: place + 8, 12) {
                bytesPerSecond = Double(format[8...].reversed().bigEndian)
            } else if head.starts(with: "data".utf8), bytesPerSecond > 0 {
                return Double(min(length, size - place - 8)) / bytesPerSecond
            }
            // Chunks begin at even places.
            place += 8 + length + length % 2
        }
        return nil
    }

    private func movie() -> Double? {
        guard let inner = box("moov", from: 0, to: size), let head = box("mvhd", from: inner.start, to: inner.end),
            let fields = bytes(at: head.start, 32)
        else { return nil }
        let isLong = fields[0] == 1
        let scale = fields[isLong ? 20..<24 : 12..<16].bigEndian
        let length = fields[isLong ? 24..<32 : 16..<20].bigEndian
        guard scale > 0, length != (isLong ? .max : UInt64(UInt32.max)) else { return nil }
        return Double(length) / Double(scale)
    }

    /// Returns where the content of the first box of that name stands.
    private func box(_ name: String, from start: UInt64, to end: UInt64) -> (start: UInt64, end: UInt64)? {
        var place = start
        for _ in 0..<Self.mostSteps {
            guard place < end, let head = bytes(at: place, 8) else { return nil }
            var content = place + 8
            var length = head[..<4].bigEndian
            if length == 1 {
                guard let long = bytes(at: content, 8) else { return nil }
                length = long[...].bigEndian
                content += 8
            } else if length == 0 {
                length = end - place
            }
            guard length >= content - place, length <= end - place else { return nil }
            if head[4...].elementsEqual(name.utf8) { return (content, place + length) }
            place += length
        }
        return nil
    }

    private func layer3(_ head: [UInt8]) -> Double? {
        var start: UInt64 = 0
        if head.starts(with: "ID3".utf8) {
            guard head[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
            start = 10 + head[6..<10].reduce(0) { $0 << 7 | UInt64($1) }
        } else if LayerFrame(head[...]) == nil {
            // Without a tag a sound begins with a frame: further on, bytes of any kind of file may look like one.
            return nil
        }
        let count = Int(min(UInt64(Self.frameSearch), size > start ? size - start : 0))
        guard let found = bytes(at: start, count),
            let place = found.indices.first(where: { $0 + 4 <= found.count && LayerFrame(found[$0...]) != nil }),
            let frame = LayerFrame(found[place...])
        else { return nil }
        let told = place + frame.tagPlace
        if told + 12 <= found.count, found[told..<(told + 4)].isTag, found[told + 7] & 1 == 1 {
            return Double(found[(told + 8)..<(told + 12)].bigEndian) * frame.secondsPerFrame
        }
        return Double(size - start - UInt64(place)) * 8 / frame.bitsPerSecond
    }
}

/// The head of a frame of an MP3, of MPEG 1, 2 or 2.5.
private struct LayerFrame {
    let bitsPerSecond: Double
    let secondsPerFrame: Double
    /// The place in the frame at which a table of the whole file may stand.
    let tagPlace: Int

    private static let rates: [[Double]] = [
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    init?(_ bytes: ArraySlice<UInt8>) {
        let head = Array(bytes.prefix(4))
        guard head[0] == 0xFF, head[1] & 0xE6 == 0xE2 else { return nil }
        let version = Int(head[1] >> 3 & 3)
        let rate = Int(head[2] >> 4)
        let sampling = Int(head[2] >> 2 & 3)
        guard version != 1, (1...14).contains(rate), sampling < 3 else { return nil }
        let isFirst = version == 3
        let samples = [44_100.0, 48_000, 32_000][sampling] / (isFirst ? 1 : version == 2 ? 2 : 4)
        bitsPerSecond = Self.rates[isFirst ? 0 : 1][rate - 1] * 1000
        secondsPerFrame = (isFirst ? 1152 : 576) / samples
        let isMono = head[3] >> 6 == 3
        tagPlace = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    }
}

extension Collection<UInt8> {
    /// The bytes as one number, the highest first.
    fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }

    fileprivate var isTag: Bool { elementsEqual("Xing".utf8) || elementsEqual("Info".utf8) }
}
