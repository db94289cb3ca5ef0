// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Locking

/// The pictures of the owners who were asked for last, together at most so many bytes.
///
/// Nobody tells a picture of a commit: it takes in what it missed when it is next asked for, so that an owner whom
/// nobody watches costs a commit nothing.
final class OwnerPictures: Sendable {
    /// The bytes of all pictures that are kept, by default.
    static let byteLimit = 64 << 20

    private struct Kept {
        let picture: OwnerPicture
        let byteCount: Int
        /// Higher for those that were asked for later.
        let use: Int
    }

    private struct State {
        var kept: [OwnerName: Kept] = [:]
        var byteCount = 0
        var lastUse = 0

        mutating func take(_ owner: OwnerName) -> OwnerPicture? {
            guard let kept = kept.removeValue(forKey: owner) else { return nil }
            byteCount -= kept.byteCount
            return kept.picture
        }
    }

    private let byteLimit: Int
    private let state = Locked(State())

    init(byteLimit: Int = byteLimit) {
        self.byteLimit = byteLimit
    }

    /// The bytes of the pictures that are kept, as they estimate them.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// The owners whose pictures are kept.
    var owners: Set<OwnerName> { state.withLock { Set($0.kept.keys) } }

    /// Returns the picture of an owner at the moment of a transaction.
    ///
    /// The kept one is taken out while it changes, so that it changes where it lies; an error leaves none behind.
    func picture(_ reading: borrowing OwnerReading) throws -> OwnerPicture {
        let owner = reading.owner.name
        let picture: OwnerPicture
        if var known = state.withLock({ $0.take(owner) }) {
            try known.follow(reading)
            picture = known
        } else {
            picture = try OwnerPicture(reading)
        }
        keep(picture, of: owner)
        return picture
    }

    private func keep(_ picture: OwnerPicture, of owner: OwnerName) {
        let byteCount = picture.byteCount
        guard byteCount <= byteLimit else { return }
        state.withLock { state in
            _ = state.take(owner)
            state.lastUse += 1
            state.kept[owner] = Kept(picture: picture, byteCount: byteCount, use: state.lastUse)
            state.byteCount += byteCount
            guard state.byteCount > byteLimit else { return }
            // An eighth more goes than must, so that not every question of a crowd looks for the oldest.
            for (owner, kept) in state.kept.sorted(by: { $0.value.use < $1.value.use }) {
                guard state.byteCount > byteLimit / 8 * 7, kept.use < state.lastUse else { return }
                _ = state.take(owner)
            }
        }
    }
}
