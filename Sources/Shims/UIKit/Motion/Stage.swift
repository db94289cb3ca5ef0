// SPDX-License-Identifier: Apache-2.0

/// The place of a process where it shows something: its time, its windows, and the animation blocks that are under way.
///
/// Process-wide, because Apple's `UIView.animate` and `CATransaction` name no window. A test has a stage of its own in
/// `Stage.with`, with a clock that stands still.
@MainActor package final class Stage {
    private struct Shown {
        weak var window: UIWindow?
    }

    private struct Unseen {
        weak var layer: CALayer?
    }

    private enum Local {
        @TaskLocal static var stage: Stage?
    }

    /// The stage of the process, in whose place whoever shows one view alone may put another.
    package static var ofProcess = Stage(clock: ContinuousClock())

    /// The stage of the task that asks, which is that of the process unless a test says another.
    package static var current: Stage { Local.stage ?? ofProcess }

    /// Runs a test in a stage of its own.
    package static func with<Result>(
        _ stage: Stage,
        _ body: @MainActor () async throws -> Result
    ) async rethrows -> Result {
        try await Local.$stage.withValue(stage) { try await body() }
    }

    package let timeline: Timeline
    /// False while nothing moves, whatever asks for it.
    var areAnimationsEnabled = true
    /// The animation blocks that are under way, the innermost last.
    var blocks: [MotionBlock] = []
    /// The keyframes whose blocks are under way.
    var keyframes: KeyframeRecording?
    /// The transactions of layers that are under way, the innermost last.
    var transactions: [LayerTransaction] = []
    /// The plays that run.
    var playCount = 0
    private var shown: [Shown] = []
    private var unseenLayers: [Unseen] = []

    /// A stage without windows.
    package nonisolated init(clock: some Clock<Duration>) {
        timeline = Timeline(clock: clock)
    }

    /// A stage without windows, on a timeline such as one whose time somebody moves.
    package nonisolated init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    /// The windows that somebody shows.
    package var windows: [UIWindow] { shown.compactMap(\.window) }

    /// Takes in a window.
    func add(_ window: UIWindow) {
        shown.removeAll { $0.window == nil || $0.window === window }
        shown.append(Shown(window: window))
    }

    /// The layers of players that are heard and not seen, which are drawn with the box.
    var unseen: [CALayer] { unseenLayers.compactMap(\.layer) }

    /// Has a layer drawn with the box though it is in no view, for a player without a view.
    package func addUnseen(_ layer: CALayer) {
        unseenLayers.removeAll { $0.layer == nil || $0.layer === layer }
        unseenLayers.append(Unseen(layer: layer))
        for window in windows { window.sceneChanged() }
    }

    /// Stops drawing a layer that is in no view.
    package func removeUnseen(_ layer: CALayer) {
        unseenLayers.removeAll { $0.layer == nil || $0.layer === layer }
        for window in windows { window.sceneChanged() }
    }

    /// Tells each window that the unseen layers look otherwise.
    package func unseenChanged() { for window in windows { window.sceneChanged() } }
}
