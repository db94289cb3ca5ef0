// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HostRuntime
package import NotificationPayload
import SceneModel

/// A picture, film or sound that a view shows, whose bytes nobody changes any more.
package struct ShownFile: Sendable, Equatable {
    /// The number by which nodes name it.
    package let number: UInt32
    package let type: AttachmentType
    package let byteCount: Int
    /// Open for reading at any place; a copy of the host's own without a name, or a file of the notification.
    package let file: HeldFile

    package static func == (a: ShownFile, b: ShownFile) -> Bool { a.number == b.number && a.file === b.file }
}

extension ShownFile {
    /// Copies a file that a view's process may still write to, and judges the copy; blocks.
    ///
    /// The source is read from its position on and stays the caller's. A name with the extension of a film or a sound
    /// says that the file is one; any other file is a picture.
    init(
        _ number: UInt32,
        named name: ScratchName,
        copying source: OpenFile,
        of app: OwnedApp,
        in store: any AttachmentKeeping
    ) throws(AttachmentRefusal) {
        let named = name.pathExtension.flatMap(AttachmentType.init(pathExtension:))
        let byteCount = try Self.byteCount(
            of: source.descriptor.raw,
            atMost: SceneLimits.fileByteCount(named: name.pathExtension ?? "")
        )
        // A file that cannot be shown is not copied; the copy is judged again, since the source may change meanwhile.
        _ = try Self.type(of: source.descriptor.raw, named)
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
        type = try Self.type(of: target.descriptor, named)
    }

    /// Judges a file of the notification, which needs no copy; blocks.
    init(_ number: UInt32, _ attachment: ViewAttachment) throws(AttachmentRefusal) {
        let file = attachment.file
        byteCount = try Self.byteCount(of: file.descriptor, atMost: attachment.type.kind.maximumByteCount)
        type = try Self.type(of: file.descriptor, attachment.type)
        self.number = number
        self.file = file
    }

    private static func byteCount(of file: CInt, atMost limit: Int) throws(AttachmentRefusal) -> Int {
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard facts.st_size <= limit else { throw .tooLarge }
        return Int(facts.st_size)
    }

    /// Judges a file by its first bytes; `named` is the type that its name or its notification gives it.
    private static func type(of file: CInt, _ named: AttachmentType?) throws(AttachmentRefusal) -> AttachmentType {
        var start = [UInt8](repeating: 0, count: ImageFacts.lookedAtByteCount)
        let count = unsafe pread(file, &start, start.count, 0)
        guard count > 0 else { throw .wrongContent }
        if let named, named.kind != .image {
            guard named.isForBrowsers else { throw .unknownType }
            guard named.fits(start.prefix(count)) else { throw .wrongContent }
            return named
        }
        guard let image = ImageFacts(start.prefix(count)), let type = image.shownType, image.width > 0, image.height > 0
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
