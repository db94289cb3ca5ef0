// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that a payload is too small for: sealed one by one, and named in the payload by an entry.
///
/// ```swift
/// let label = try AttachmentLabel(id: "photo", url: address, type: "image/jpeg", name: "door.jpg")
/// let entry = try Attachment.seal(file: "door.jpg", to: "door.nsea", as: label)
/// // Upload door.nsea to `address`; `entry.json` goes into "attachments" of the content, which is then sealed.
/// ```
/// Each file has a key of its own, which travels in the entry. Both ways work in constant memory, 200 KiB whatever the
/// file, and block the calling thread: never call them on Swift's cooperative pool. Nothing is shared between calls, so
/// any number of threads may work at once; each needs a locked page of 4 KiB.
/// Source: FORMAT.md, "Attachments".
public enum Attachment {
    /// Bytes of the largest plaintext: 1 GiB, twenty times what any platform shows in a notification.
    public static let maximumByteCount = 1 << 30

    /// Told after every chunk, on the calling thread.
    public typealias Listener = (AttachmentProgress) -> AttachmentProgress.Answer

    // MARK: Sealing

    /// Seals the file at `path` to a new file at `target`, mode 0600.
    ///
    /// The entry holds the file's key: see `AttachmentEntry`. Throws `exists` rather than overwrite, `tooLarge`,
    /// `memory`, `system`, `cancelled`; nothing stands at `target` then. A file that grows or shrinks meanwhile is no
    /// error: what was read is what is sealed.
    public static func seal(
        file path: String,
        to target: String,
        as label: AttachmentLabel,
        progress: Listener = { _ in .proceed }
    ) throws(AttachmentError) -> AttachmentEntry {
        let source = try openSource(path)
        defer { close(source) }
        let file = try TargetFile(path: target)
        let entry = try seal(from: source, to: file.descriptor, as: label, progress: progress)
        try file.publish()
        return entry
    }

    /// Seals everything from the position of one descriptor to that of another; both stay open.
    ///
    /// Pipes will do for either. Throws as the other form does, without `exists`; what was written by then is of no use
    /// and stays.
    public static func seal(
        from source: Int32,
        to target: Int32,
        as label: AttachmentLabel,
        progress: Listener = { _ in .proceed }
    ) throws(AttachmentError) -> AttachmentEntry {
        var source = DescriptorSource(descriptor: source)
        var sink = DescriptorSink(descriptor: target)
        let total = try source.remainingByteCount
        if let total, total > maximumByteCount { throw .tooLarge(limit: maximumByteCount) }
        var sealing = try AttachmentSealing(total: total)
        let size = try sealing.run(&source, to: &sink, progress: progress)
        return AttachmentEntry(
            label: label,
            size: size,
            key: sealing.cipher.copyKey(),
            digest: sealing.cipher.finalDigest()
        )
    }

    // MARK: Opening

    /// Opens the sealed file at `path` to a new file at `target`, mode 0600.
    ///
    /// The file appears at `target` whole and checked, or not at all: no byte can be seen before the last chunk and the
    /// digest are right. `sizeLimit` is what this receiver takes, at most `maximumByteCount`. Throws `exists` rather
    /// than overwrite, and every error of a sealed file, in the order of FORMAT.md.
    public static func open(
        _ entry: AttachmentEntry,
        file path: String,
        to target: String,
        sizeLimit: Int = maximumByteCount,
        progress: Listener = { _ in .proceed }
    ) throws(AttachmentError) {
        let source = try openSource(path)
        defer { close(source) }
        try open(entry, from: source, to: target, sizeLimit: sizeLimit, progress: progress)
    }

    /// Opens everything from the position of a descriptor, such as a download that is still under way; it stays open.
    public static func open(
        _ entry: AttachmentEntry,
        from source: Int32,
        to target: String,
        sizeLimit: Int = maximumByteCount,
        progress: Listener = { _ in .proceed }
    ) throws(AttachmentError) {
        guard entry.size <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        var source = DescriptorSource(descriptor: source)
        if let got = try source.remainingByteCount, got != entry.sealedByteCount {
            throw .wrongSize(needed: entry.sealedByteCount, got: got)
        }
        let file = try TargetFile(path: target)
        var sink = DescriptorSink(descriptor: file.descriptor)
        var opening = try AttachmentOpening(entry)
        try opening.run(&source, to: &sink, progress: progress)
        try file.publish()
    }

    private static func openSource(_ path: String) throws(AttachmentError) -> Int32 {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(.source, errno) }
        return descriptor
    }
}
