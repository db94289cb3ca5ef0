// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HostRuntime
package import NotificationPayload
import SceneModel

/// A picture that a view shows: a copy of the host's own, whose bytes nobody changes any more.
package struct ViewPicture: Sendable, Equatable {
    /// The number by which nodes name it.
    package let number: UInt32
    package let type: AttachmentType
    package let byteCount: Int
    /// For reading at any place; it has no name.
    package let file: HeldFile

    package static func == (a: ViewPicture, b: ViewPicture) -> Bool { a.number == b.number && a.file === b.file }
}

extension ViewPicture {
    /// Copies a file that a view's process may still write to, and judges the copy; blocks.
    ///
    /// The source is read from its position on and stays the caller's.
    init(
        _ number: UInt32,
        copying source: OpenFile,
        of app: OwnedApp,
        in store: any AttachmentKeeping
    ) throws(AttachmentRefusal) {
        var facts = stat()
        guard unsafe fstat(source.descriptor.raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw .notAFile
        }
        let byteCount = Int(facts.st_size)
        guard byteCount <= SceneLimits.fileByteCount else { throw .tooLarge }
        // What is no picture is not even copied; the copy is judged again, since the source may change meanwhile.
        _ = try Self.type(of: source.descriptor.raw)
        guard let target = store.viewFile(roomFor: byteCount, of: app) else { throw .storeFailed }
        do throws(FileCopy.Fault) {
            self.byteCount = try FileCopy.copy(source.descriptor.raw, to: target.descriptor, atMost: byteCount)
        } catch {
            switch error {
            case .read, .tooLong: throw .unreadable
            case .write, .outOfTime: throw .storeFailed
            }
        }
        self.number = number
        file = target
        type = try Self.type(of: target.descriptor)
    }

    private static func type(of file: CInt) throws(AttachmentRefusal) -> AttachmentType {
        var start = [UInt8](repeating: 0, count: ImageFacts.lookedAtByteCount)
        let count = unsafe pread(file, &start, start.count, 0)
        guard count > 0, let image = ImageFacts(start.prefix(count)), let type = image.shownType,
            image.width > 0, image.height > 0
        else { throw .wrongContent }
        // A few bytes can be a picture whose pixels fill a browser's memory.
        let (pixelCount, isBeyond) = image.width.multipliedReportingOverflow(by: image.height)
        guard !isBeyond, pixelCount <= SceneLimits.pixelCount else { throw .tooLarge }
        return type
    }
}

extension ImageFacts {
    /// `nil` means that not every browser shows such an image.
    fileprivate var shownType: AttachmentType? {
        switch format {
        case .png: AttachmentType(identifier: "public.png")
        case .jpeg: AttachmentType(identifier: "public.jpeg")
        case .gif: AttachmentType(identifier: "com.compuserve.gif")
        case .webP: AttachmentType(identifier: "org.webmproject.webp")
        case .heic, .tiff, .bmp: nil
        }
    }
}

/// The files of one view: those that it has named and that are not copied yet, and the pictures that it has.
///
/// A pure value.
struct ViewShelf {
    private var waiting: [SceneFile] = []
    /// True while one is copied, and while the next one has to wait for its turn.
    private var isBusy = false
    /// The pictures that were brought or named least recently come first.
    private var pictures: [ViewPicture] = []
    /// Copying is the host's work, of which a view may ask for so much.
    private var files = TokenBucket(capacity: 32, perSecond: 8)

    /// Takes in what an update names; false if more wait than a view may have.
    mutating func want(_ files: [SceneFile]) -> Bool {
        waiting += files
        return waiting.count <= SceneLimits.waitingFileCount
    }

    /// The next step with the files that wait.
    enum Step: Equatable {
        /// None waits, or one is under way.
        case rest
        case copy(SceneFile)
        /// The view has had as many as it may for now: ask again after `ViewShelf.pause`.
        case pause
    }

    /// The time after which a view that has named many may have another one.
    static let pause = Duration.milliseconds(125)

    mutating func next(now: Duration) -> Step {
        guard !isBusy, !waiting.isEmpty else { return .rest }
        isBusy = true
        return files.take(now: now) ? .copy(waiting.removeFirst()) : .pause
    }

    /// The copying or the pause is over, whatever came of it.
    mutating func settle() { isBusy = false }

    /// Notes which pictures an update of the scene names.
    mutating func note(named: () -> Set<UInt32>) {
        guard !pictures.isEmpty else { return }
        let named = named()
        pictures = pictures.filter { !named.contains($0.number) } + pictures.filter { named.contains($0.number) }
    }

    /// Takes a picture in, and returns the numbers of those that made room for it: those that no node names, from the one
    /// on that was named least recently.
    ///
    /// `nil` means that all are named, and that there is no room.
    mutating func keep(_ picture: ViewPicture, named: Set<UInt32>) -> [UInt32]? {
        var kept = pictures
        var gone: [UInt32] = []
        while kept.count >= SceneLimits.fileCount
            || kept.reduce(picture.byteCount, { $0 + $1.byteCount }) > SceneLimits.fileByteCountInAll
        {
            guard let place = kept.firstIndex(where: { !named.contains($0.number) }) else { return nil }
            gone.append(kept.remove(at: place).number)
        }
        pictures = kept + [picture]
        return gone
    }

    /// Lets go of everything, and returns the files that were not taken out of the folder.
    mutating func clear() -> [SceneFile] {
        defer { (waiting, pictures) = ([], []) }
        return waiting
    }
}
