// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking
import UserNotificationCenter

/// The events that lie between two positions of an owner, written once for all who watch from there.
///
/// Watchers who are up to date all ask the same question when something changes. An answer holds until the owner has a
/// later number: what was removed since it was written is told to nobody any more.
final class EventPieces: Sendable {
    /// The position behind which a watcher reads, and how it may see what it reads.
    struct Question: Hashable {
        let owner: OwnerName
        let since: Int64
        let hiding: SummaryLanguage?
    }

    struct Piece {
        /// Whole events, as they are sent.
        let text: String
        /// The position up to which they tell everything.
        let next: Int64
    }

    /// Answers that are kept, and the bytes of each.
    private static let limit = 64
    private static let byteLimit = 64 << 10

    private let kept = Locked<[Question: Piece]>([:])

    /// Returns an answer that holds while the owner's last number is `position`; `nil` means that there is none.
    func piece(_ question: Question, at position: Int64) -> Piece? {
        kept.withLock { $0[question] }.flatMap { $0.next >= position ? $0 : nil }
    }

    func forget() { kept.withLock { $0 = [:] } }

    func keep(_ piece: Piece, for question: Question) {
        guard piece.text.utf8.count <= Self.byteLimit else { return }
        kept.withLock { kept in
            // Those of positions that nobody has any more go at once.
            if kept.count >= Self.limit { kept = [:] }
            kept[question] = piece
        }
    }
}
