// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
package import SceneModel

/// The part of a node that moves.
struct SceneLook: Equatable {
    var frame: SceneFrame?
    var style: SceneStyle

    init(_ node: SceneNode) {
        (frame, style) = (node.frame, node.style)
    }

    func dress(_ node: inout SceneNode) { (node.frame, node.style) = (frame, style) }
}

/// The parts of a window that are told in updates of their own, because one update moves in one time.
struct WindowMotion {
    /// A drawing that goes out by itself.
    struct Step {
        var set: [SceneNode]
        var gone: [UInt32]
        /// The nodes of `set` that were not there before.
        var new: Set<UInt32>
        var motion: SceneMotion?
    }

    /// A look in the place of a node's own, for as long as that stays as it was.
    private struct Mask {
        let look: SceneLook
        let own: SceneLook
    }

    /// The steps that may wait; the last one takes in what comes beyond.
    private static let stepCount = 16

    /// The place for which the window was drawn last.
    var environment = ViewEnvironment()
    /// Gives pictures their numbers; `nil` before the window was first drawn.
    var pictures: (@MainActor (UIImage) -> UInt32?)?
    /// Gives films and sounds their numbers.
    var media: @MainActor (URL) -> UInt32? = Self.noMedia
    /// The motion of the step that was drawn last.
    var last: SceneMotion?
    /// The plays that begin once their first values are drawn.
    var waiting: [@MainActor () -> Void] = []
    private(set) var steps: [Step] = []
    private var masks: [UInt32: Mask] = [:]

    /// Gives no film a number: nothing is there that could bring its file to the page.
    static let noMedia: @MainActor (URL) -> UInt32? = { _ in nil }

    /// Adds a step behind those that wait; one that moves as the last one does becomes a part of that.
    mutating func add(_ step: Step) {
        guard let last = steps.indices.last, steps[last].motion == step.motion || steps.count >= Self.stepCount else {
            return steps.append(step)
        }
        steps[last].take(step)
    }

    /// Takes the first of the steps that wait.
    mutating func takeStep() -> Step? { steps.isEmpty ? nil : steps.removeFirst() }

    // MARK: Masks

    /// Draws a node with another look, until its own changes or the mask is taken away.
    mutating func mask(_ id: UInt32, own: SceneLook, with look: SceneLook) { masks[id] = Mask(look: look, own: own) }

    /// Draws nodes as they are.
    mutating func unmask(_ ids: some Sequence<UInt32>) { for id in ids { masks[id] = nil } }

    /// The look of a node without its mask, if it has one.
    func maskedLook(of id: UInt32) -> SceneLook? { masks[id]?.own }

    /// Gives nodes the looks of their masks, and forgets the masks of those that have gone or were changed by others.
    mutating func masked(_ nodes: [SceneNode]) -> [SceneNode] {
        guard !masks.isEmpty else { return nodes }
        var kept: [UInt32: Mask] = [:]
        let shown = nodes.map { node in
            guard let mask = masks[node.id], mask.own == SceneLook(node) else { return node }
            kept[node.id] = mask
            var node = node
            mask.look.dress(&node)
            return node
        }
        masks = kept
        return shown
    }
}

extension WindowMotion.Step {
    /// Becomes what this step and a later one are together.
    mutating func take(_ later: WindowMotion.Step) {
        let told = Set(later.set.map(\.id))
        // What came with this step and went with the later one was never there, with all that hangs below it.
        var dropped = Set(later.gone).intersection(new)
        gone += later.gone.filter { !dropped.contains($0) }
        for node in set where dropped.contains(node.up) && !told.contains(node.id) {
            if new.contains(node.id) { dropped.insert(node.id) } else { gone.append(node.id) }
        }
        let latest = Dictionary(uniqueKeysWithValues: later.set.map { ($0.id, $0) })
        let here = Set(set.map(\.id))
        set =
            set.filter { !dropped.contains($0.id) && !later.gone.contains($0.id) }.map { latest[$0.id] ?? $0 }
            + later.set.filter { !here.contains($0.id) }
        new = new.subtracting(dropped).union(later.new)
    }
}

extension UIWindow {
    /// Says how nodes get the numbers of their files, before the window is drawn.
    ///
    /// An animation that runs before the first drawing moves only if this was said. `media` gives a film or a sound the
    /// number under which nodes can name it, and `nil` for one that the page cannot be given.
    package func setFiles(
        pictures: @escaping @MainActor (UIImage) -> UInt32?,
        media: (@MainActor (URL) -> UInt32?)? = nil
    ) {
        motion.environment = Surroundings.environment
        motion.pictures = pictures
        if let media { motion.media = media }
    }

    /// Returns how the page moves to what was drawn last; `nil` means at once.
    package func takeMotion() -> SceneMotion? {
        defer { motion.last = nil }
        return motion.last
    }

    /// True if the drawing that went out last is not all that has changed: steps wait behind it.
    package var hasSteps: Bool { isDirty || !motion.steps.isEmpty }

    /// Begins the plays whose first values are drawn.
    func beginWaiting() {
        guard !isDirty, !motion.waiting.isEmpty else { return }
        let waiting = motion.waiting
        motion.waiting = []
        for begin in waiting { begin() }
    }

    /// Takes the first step that waits, and wakes for what comes behind it.
    func takeStep() -> WindowMotion.Step? {
        guard let step = motion.takeStep() else { return nil }
        sceneChanged()
        return step
    }

    /// Closes what has changed up to here as a step of its own; true if something looks otherwise.
    ///
    /// Nothing is placed: a layout that waits belongs to what comes later. Before anything was drawn there is nothing
    /// to move from: what changes until the view has appeared is a part of the first scene, and what changes then and
    /// later moves from the first layout.
    @discardableResult
    func seal(_ moving: SceneMotion?) -> Bool {
        guard motion.pictures != nil else { return isDirty }
        if drawnNodes.isEmpty {
            guard rootViewController?.appearance.state == .there else { return isDirty }
            layoutIfNeeded()
        }
        guard var step = difference(isHoldingTexts: LayoutPass(of: self).isDue) else { return false }
        step.motion = moving
        motion.add(step)
        // The sealed step is to go out, and a layout may wait.
        sceneChanged()
        return true
    }
}
