// SPDX-License-Identifier: Apache-2.0

/// The files of notifications in one view's folder: of the notification that it shows, the one before, whose files it
/// may be reading, and newer ones that it has not taken in.
///
/// A pure value.
struct GiftShelf {
    private struct Batch {
        /// The number of the event that brings the notification; 0 for the one with which the view opens.
        let event: UInt64
        var gifts: [(path: String, attachment: ViewAttachment)] = []
    }

    private var batches: [Batch] = []

    /// A notification is to come; returns the paths of files that the view has no use for any more.
    ///
    /// `acknowledged` is the number of the last event that the view has taken in.
    mutating func begin(event: UInt64, acknowledged: UInt64) -> [String] {
        let shown = batches.lastIndex { $0.event <= acknowledged } ?? 0
        let old = batches.prefix(max(0, shown - 1))
        batches.removeFirst(old.count)
        batches.append(Batch(event: event))
        return old.flatMap { $0.gifts.map(\.path) }
    }

    /// A file of the notification that came last lies at a path.
    mutating func add(_ attachment: ViewAttachment, at path: String) {
        guard let last = batches.indices.last else { return }
        batches[last].gifts.append((path, attachment))
    }

    /// The file that was put at a path; `nil` means that none was.
    ///
    /// The view may have written something else there, which nobody sees then.
    func gift(at path: String) -> ViewAttachment? {
        for batch in batches {
            if let gift = batch.gifts.first(where: { $0.path == path }) { return gift.attachment }
        }
        return nil
    }

    /// The paths of all files.
    var paths: [String] { batches.flatMap { $0.gifts.map(\.path) } }
}
