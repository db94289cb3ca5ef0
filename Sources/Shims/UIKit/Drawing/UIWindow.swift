// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SceneModel

/// The box in which a controller's view is shown, the highest of all views.
///
/// Whoever shows a content extension makes it; an extension meets it as the `window` of its views.
/// Source: Apple, "UIWindow".
open class UIWindow: UIView {
    /// The controller whose view fills the box.
    open var rootViewController: UIViewController? {
        didSet {
            oldValue?.viewIfLoaded?.removeFromSuperview()
            guard let controller = rootViewController, let view = controller.view else { return }
            view.frame = bounds
            view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            // The controller of a window that is shown hears that it comes before its view is in the window.
            if wake != nil { controller.beginAppearing(false) }
            addSubview(view)
        }
    }

    /// The screen that the box is on.
    open var screen: UIScreen { .main }
    /// True for the window that has the keyboard.
    open var isKeyWindow: Bool { true }

    /// Calls whoever shows the window when the next turn of the main queue has something to draw.
    private var wake: (@MainActor () -> Void)?
    /// Tells whoever shows the window that all nodes are drawn, and their files named.
    private var begin: @MainActor () -> Void = {}
    private var isChanged = true
    private var lastID: UInt32 = 0
    /// The nodes as they were drawn last, by their numbers.
    private var drawn: [UInt32: SceneNode] = [:]
    private var views: [UInt32: UIView] = [:]
    private var contents: [UInt32: DrawnContent] = [:]
    /// The input views below the box, in the window only while there are some.
    let strip = InputStrip(frame: .zero)
    /// The steps that wait, the looks that move, and the files that nodes can name.
    var motion = WindowMotion()

    override func givenMask(of subview: UIView) -> AutoresizingMask? {
        subview === strip ? [] : [.flexibleWidth, .flexibleHeight]
    }

    /// Has a function called when something is to be drawn; it orders the next turn once.
    ///
    /// `begin` is called before each drawing of all nodes, and at no other time.
    package func show(begin: @escaping @MainActor () -> Void = {}, wake: @escaping @MainActor () -> Void) {
        (self.begin, self.wake) = (begin, wake)
        Stage.current.add(self)
    }

    /// Takes in that the scene looks otherwise.
    func sceneChanged() {
        guard onMain(self.sceneChanged(), nil) else { return }
        isChanged = true
        wake?()
    }

    /// A number that rises whenever the places of views were found anew.
    package var layoutNumber: Int { layout.solvedCount }

    /// Returns the view of a node that was drawn.
    package func view(ofNode id: UInt32) -> UIView? { views[id] }

    /// Returns what draws the layer of a node in the place of its view.
    func content(ofNode id: UInt32) -> (any LayerContent)? { contents[id]?.content }

    /// Draws what has changed: the nodes that are new or look otherwise, and those that went.
    ///
    /// `number` gives a picture the number under which nodes can name it. `takeMotion()` tells afterwards how the page
    /// moves to it. What moves otherwise comes with the next call, for which the window wakes.
    package func draw(
        in environment: ViewEnvironment,
        number: @escaping @MainActor (UIImage) -> UInt32?
    ) -> (set: [SceneNode], gone: [UInt32]) {
        motion.environment = environment
        motion.pictures = number
        var step = takeStep()
        if step == nil {
            layoutIfNeeded()
            if takeStrip() { layoutIfNeeded() }
            LayoutPass(of: self).tellContradictions()
            // An animation of the layout has sealed what came before it.
            step = takeStep() ?? difference()
        }
        if motion.steps.isEmpty { beginWaiting() }
        // Nothing is to be seen before the plays that have begun.
        step = step ?? takeStep()
        motion.last = step?.motion
        return (step?.set ?? [], step?.gone ?? [])
    }

    /// Draws what has changed without placing anything; `nil` if nothing looks otherwise, or nothing is shown yet.
    ///
    /// With `isHoldingTexts` a text that has changed in the place that it had stays as it was: a layout will give it
    /// another place, and comes with it.
    func difference(isHoldingTexts: Bool = false) -> WindowMotion.Step? {
        guard isChanged, let number = motion.pictures, let view = rootViewController?.viewIfLoaded else { return nil }
        isChanged = false
        begin()
        var drawing = SceneDrawing(motion.environment, number: number, media: motion.media) { [self] id in
            // A number that went is never used again.
            if drawn[id] != nil { return id }
            lastID += 1
            return lastID
        }
        drawing.draw(view, strip: strip.superview == nil ? nil : strip)
        let nodes = motion.masked(drawing.nodes).map { isHoldingTexts ? held($0) : $0 }
        let now = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
        let set = nodes.filter { drawn[$0.id] != $0 }
        // What hangs below goes with it.
        let gone = drawn.values.filter { now[$0.id] == nil && ($0.up == 0 || now[$0.up] != nil) }
        let new = set.map(\.id).filter { drawn[$0] == nil }
        (drawn, views, contents) = (now, drawing.views, drawing.contents)
        guard !set.isEmpty || !gone.isEmpty else { return nil }
        return WindowMotion.Step(set: set, gone: gone.map(\.id).sorted(), new: Set(new))
    }

    /// Returns a node with the text that was drawn last, if it is a text in the same place.
    private func held(_ node: SceneNode) -> SceneNode {
        guard case .text = node.kind, let former = drawn[node.id], case .text = former.kind, former.kind != node.kind,
            former.frame == node.frame
        else { return node }
        isChanged = true
        var node = node
        node.kind = former.kind
        return node
    }

    /// True if something may look otherwise than at the last drawing.
    var isDirty: Bool { isChanged }

    /// The nodes as they were drawn last.
    var drawnNodes: some Collection<SceneNode> { drawn.values }

    /// Returns the node of a number as it was drawn last.
    func node(_ id: UInt32) -> SceneNode? { drawn[id] }
}
