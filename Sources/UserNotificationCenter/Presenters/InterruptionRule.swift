// SPDX-License-Identifier: Apache-2.0

/// The rule by which the presenters of an owner share out an interruption: a pure function that each computes.
///
/// The page has the same rule in JavaScript (`surfaces.js`), and one table of cases, Tests/Page/interruptions.json,
/// holds both. The presenters of the centre's own machine are one place, and each other one is a place of its own.
/// Source: presenters.md §5.
package enum InterruptionRule {
    /// The presenters that interrupt, as rising places in the list.
    package struct Winners: Sendable, Equatable {
        package var banners: [Int] = []
        package var sounds: [Int] = []

        package init() {}
    }

    /// The order in which presenters of one place take an interruption; of two alike the one that joined first.
    private enum Rank: Int {
        case focusedPage, desktop, visiblePage, hiddenPage, terminal
    }

    /// Judges a notification; `presenters` stand in the order in which they joined.
    ///
    /// A banner is shown once at each place. A sound is played once in all, by a presenter that shows the banner if one
    /// of those plays sounds; one that is critical is played at each place.
    package static func winners(of presenters: [Presenter], isCritical: Bool) -> Winners {
        var winners = Winners()
        for place in places(of: presenters) {
            let banner = first(of: place.filter { presenters[$0].state.showsBanners }, presenters)
            if let banner { winners.banners.append(banner) }
            let audible = place.filter { presenters[$0].state.playsSounds }
            let sound = banner.flatMap { audible.contains($0) ? $0 : nil } ?? first(of: audible, presenters)
            if let sound { winners.sounds.append(sound) }
        }
        winners.banners.sort()
        winners.sounds.sort()
        guard !isCritical else { return winners }
        let shown = winners.sounds.filter(winners.banners.contains)
        winners.sounds = first(of: shown.isEmpty ? winners.sounds : shown, presenters).map { [$0] } ?? []
        return winners
    }

    private static func places(of presenters: [Presenter]) -> [[Int]] {
        let local = presenters.indices.filter { presenters[$0].isLocal }
        return [local] + presenters.indices.filter { !presenters[$0].isLocal }.map { [$0] }
    }

    private static func first(of candidates: [Int], _ presenters: [Presenter]) -> Int? {
        candidates.min { (rank(presenters[$0]).rawValue, $0) < (rank(presenters[$1]).rawValue, $1) }
    }

    private static func rank(_ presenter: Presenter) -> Rank {
        switch presenter.kind {
        case .page where presenter.state.isVisible: presenter.state.isFocused ? .focusedPage : .visiblePage
        case .page: .hiddenPage
        case .desktop: .desktop
        case .terminal: .terminal
        }
    }
}
