// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// The files of one view: those that it has named and that are not copied yet, and the pictures that it has.
///
/// A pure value.
struct ViewShelf {
    private var waiting: [SceneFile] = []
    /// True while one is copied, and while the next one has to wait for its turn.
    private var isBusy = false
    /// The pictures that were brought or named least recently come first.
    private var pictures: [ShownFile] = []
    /// The copies that a view may ask the host for.
    private var files = TokenBucket(capacity: 32, perSecond: 8)

    /// Takes in what an update names.
    mutating func want(_ files: [SceneFile]) { waiting += files }

    /// Takes out the files beyond as many as may wait: the oldest ones that no node names, or else the oldest.
    mutating func takeExcess(named: () -> Set<UInt32>) -> [SceneFile] {
        guard waiting.count > SceneLimits.waitingFileCount else { return [] }
        let named = named()
        var excess: [SceneFile] = []
        while waiting.count > SceneLimits.waitingFileCount {
            let place = waiting.firstIndex { !named.contains($0.number) } ?? 0
            excess.append(waiting.remove(at: place))
        }
        return excess
    }

    /// The next step with the files that wait.
    enum Step: Equatable {
        /// No file waits, or one is under way.
        case rest
        case copy(SceneFile)
        /// The view has had as many as its rate allows: ask again after `ViewShelf.pause`.
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

    /// Takes a picture in, and returns the numbers of those that made room for it: those that no node names, from the
    /// one on that was named least recently.
    ///
    /// `nil` means that all are named, and that there is no room.
    mutating func keep(_ picture: ShownFile, named: Set<UInt32>) -> [UInt32]? {
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
