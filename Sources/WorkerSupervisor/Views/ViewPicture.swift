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
    /// The copy, open for reading at any place and without a name.
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
