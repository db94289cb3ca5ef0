// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import LayoutSolver

/// The way from changed views to placed ones: constraints are updated, solved, and told to views and controllers.
@MainActor struct LayoutPass {
    /// The constraints that the log names: it keeps each line, and their words are the author's.
    private static let toldLimit = 64
    private static var told: Set<String> = []
    /// The equations that were solved in this process, so that a test sees that a change needs none.
    private(set) static var solvedCount = 0
    /// Views may change something in `layoutSubviews()`, and may ask for a layout there, but not without an end.
    private static let roundCount = 32
    /// A text's height needs its width, and another text's width may need that height.
    private static let textRoundCount = 3

    private let root: UIView

    /// A pass over the view and all that is in it.
    init(of root: UIView) {
        self.root = root
    }

    /// Places everything that is not placed.
    func run() {
        // A pass that code asks for during another has what is left of the rounds of that one.
        let outer = root.layout.leftRounds
        root.layout.leftRounds = outer ?? Self.roundCount
        defer { root.layout.leftRounds = outer == nil ? nil : root.layout.leftRounds }
        while takeRound() {
            updateConstraints(of: root)
            measure()
            if root.layout.needsSolving {
                root.layout.needsSolving = false
                root.layout.solvedCount &+= 1
                solve()
            }
            let hasLaidOut = layOut(root)
            if !hasLaidOut, !root.layout.needsSolving { return }
        }
        HostLog.warnOnce("a layout changes itself each time: it was stopped after \(Self.roundCount) rounds")
        // The next change of a view begins another layout; one that began by itself would never end.
        root.layout.needsSolving = false
        root.tell { $0.layout.needsLayout = false }
    }

    /// True if a place may change with the next pass.
    var isDue: Bool {
        measure()
        return root.layout.needsSolving
    }

    private func takeRound() -> Bool {
        guard let left = root.layout.leftRounds, left > 0 else { return false }
        root.layout.leftRounds = left - 1
        return true
    }

    /// The size that the view has in a room that is wanted.
    func fittingSize(
        _ target: CGSize,
        _ horizontal: UILayoutPriority,
        _ vertical: UILayoutPriority
    ) -> CGSize {
        updateConstraints(of: root)
        let widths = contentWidths(of: root)
        defer { for (view, width) in widths { view.layout.contentWidth = width } }
        let textWidths = target.width > 0 ? [:] : widths.reduce(into: [:]) { $0[ObjectIdentifier($1.0)] = $1.1 }
        let room = LayoutEquations.Room.wanted(target, horizontal: horizontal, vertical: vertical)
        let size = fittingSize { LayoutEquations(of: root, in: room, textWidths: textWidths) }
        // A text whose one line is wider than the room is broken for it, and everything else keeps its width.
        let strength = UILayoutPriority(600)
        guard target.width > 0, size.width > target.width, horizontal.rawValue < strength.rawValue, !widths.isEmpty
        else { return size }
        let broken = LayoutEquations.Room.wanted(target, horizontal: strength, vertical: vertical)
        return fittingSize { LayoutEquations(of: root, in: broken, breaksTexts: true) }
    }

    /// The size by equations that are made anew as long as a text has another width than it was measured for.
    private func fittingSize(_ equations: () -> LayoutEquations) -> CGSize {
        var size = CGSize.zero
        for _ in 0..<Self.textRoundCount {
            let equations = equations()
            let values = solution(of: equations).values
            size = equations.rect(of: root, in: values)?.size ?? .zero
            guard takeWidths(equations, values, of: root) else { break }
        }
        return CGSize(width: size.width.toHalfPoint, height: size.height.toHalfPoint)
    }

    private func contentWidths(of view: UIView) -> [(UIView, CGFloat?)] {
        let own = view.wrapsContent ? [(view, view.layout.contentWidth)] : []
        return view.subviews.reduce(own) { $0 + contentWidths(of: $1) }
    }

    // MARK: Constraints

    private func updateConstraints(of view: UIView) {
        for subview in view.subviews { updateConstraints(of: subview) }
        guard view.layout.needsConstraints else { return }
        view.layout.needsConstraints = false
        if let controller = view.controller { controller.updateViewConstraints() } else { view.updateConstraints() }
    }

    /// Has the equations solved if something has another size than it had in them.
    private func measure() {
        guard root.layout.needsMeasuring else { return }
        root.layout.needsMeasuring = false
        if hasAnotherSize(root) { root.layout.needsSolving = true }
    }

    private func hasAnotherSize(_ view: UIView) -> Bool {
        var isOther = false
        if view.layout.hasNewContent {
            view.layout.hasNewContent = false
            isOther = view.layout.solvedContent != LayoutContent(of: view)
        }
        for subview in view.subviews where hasAnotherSize(subview) { isOther = true }
        return isOther
    }

    private func solve() {
        guard hasEquations(root) else {
            root.layout.contradicting = []
            noteDependence(in: root, on: [])
            return
        }
        for round in 1...Self.textRoundCount {
            let equations = LayoutEquations(of: root, in: .fixed(root.bounds.size))
            let (values, contradicting) = solution(of: equations)
            if !takeWidths(equations, values, of: root) || round == Self.textRoundCount {
                noteDependence(in: root, on: equations.named)
                root.layout.contradicting = contradicting
                return place(equations, values)
            }
        }
    }

    /// True if something in the view is not placed by its frame.
    private func hasEquations(_ view: UIView) -> Bool {
        !view.layout.constraints.isEmpty || view.subviews.contains { !$0.followsFrame || hasEquations($0) }
    }

    /// Notes of which views the frames count in the equations: those that are named there, and those around them.
    @discardableResult
    private func noteDependence(in view: UIView, on named: Set<ObjectIdentifier>) -> Bool {
        // The height of a box is found by equations that have the view which fills it, and a guide is placed by them.
        var isIn = view.superview?.givenMask(of: view) != nil || !view.layout.guides.isEmpty
        isIn = isIn || named.contains(ObjectIdentifier(view)) || view !== root && !view.followsFrame
        for subview in view.subviews where noteDependence(in: subview, on: named) { isIn = true }
        view.layout.isInEquations = isIn
        return isIn
    }

    private func solution(
        of equations: LayoutEquations
    ) -> (values: LayoutSolution, contradicting: [NSLayoutConstraint]) {
        Self.solvedCount += 1
        return equations.solved()
    }

    /// Names the constraints that could not hold in the last layout, which is about to be drawn.
    ///
    /// A layout that is not drawn says nothing: the box may have had a height that it does not keep.
    func tellContradictions() {
        let contradicting = root.layout.contradicting
        root.layout.contradicting = []
        for constraint in contradicting where Self.told.count < Self.toldLimit {
            guard Self.told.insert(constraint.words).inserted else { continue }
            let reason = constraint.isFinite ? "contradicts others" : "has a number that is none"
            HostLog.warnOnce("a constraint \(reason) and does not hold: \(constraint.words)")
        }
    }

    /// Notes the widths that texts have now; true if a height depends on one that has changed.
    private func takeWidths(_ equations: LayoutEquations, _ values: LayoutSolution, of view: UIView) -> Bool {
        var hasChanged = false
        // The width that the view will have, of half points.
        if view.wrapsContent, let width = equations.rect(of: view, in: values)?.toHalfPoints.width {
            let old = view.layout.contentWidth ?? .greatestFiniteMagnitude
            // A text that is not narrower than it wants to be is not broken, whatever its width.
            hasChanged = abs(old - width) > 0.01 && view.contentSize(inWidth: old) != view.contentSize(inWidth: width)
            view.layout.contentWidth = width
        }
        for subview in view.subviews where takeWidths(equations, values, of: subview) { hasChanged = true }
        return hasChanged
    }

    // MARK: Places

    private func place(_ equations: LayoutEquations, _ values: LayoutSolution) {
        let size = root.bounds.size
        place(in: root, exact: CGRect(origin: .zero, size: size), from: size, equations, values)
    }

    /// Places what is in a view whose rectangle in the highest one is known, and that had a size before.
    ///
    /// A view with a mask follows the size that the view around was given, which is rounded: by the exact one it would
    /// move a little with each layout.
    private func place(
        in view: UIView,
        exact outer: CGRect,
        from old: CGSize,
        _ equations: LayoutEquations,
        _ values: LayoutSolution
    ) {
        for guide in view.layout.guides {
            guard let rect = equations.rect(of: guide, in: values) else { continue }
            guide.placed = rect.toHalfPoints.offsetBy(dx: -outer.minX.toHalfPoint, dy: -outer.minY.toHalfPoint)
        }
        if let scroll = view as? UIScrollView {
            let rect = equations.rect(of: scroll.contentLayoutGuide, in: values)
            scroll.contentLayoutGuide.placed = CGRect(origin: .zero, size: rect?.toHalfPoints.size ?? .zero)
            if rect != nil { scroll.takeContentSize() }
        }
        for subview in view.subviews {
            guard let rect = equations.rect(of: subview, in: values) else { continue }
            let size = subview.bounds.size
            let frame =
                subview.followsFrame
                ? subview.resized(from: old, to: view.bounds.size)
                : rect.toHalfPoints.offsetBy(dx: -outer.minX.toHalfPoint, dy: -outer.minY.toHalfPoint)
            if !frame.isNear(subview.layer.untransformedFrame) {
                subview.layout.isBeingPlaced = true
                subview.place(frame)
                subview.layout.isBeingPlaced = false
                view.layout.needsLayout = true
                // Its margins depend on its place.
                if subview.layout.keepsMarginsOfSuperview { root.layout.needsSolving = true }
            }
            place(in: subview, exact: rect, from: size, equations, values)
        }
    }

    /// Tells views and controllers that what is in them has another place; true if there was one to tell.
    private func layOut(_ view: UIView) -> Bool {
        var hasLaidOut = false
        if view.layout.needsLayout {
            view.layout.needsLayout = false
            view.controller?.viewWillLayoutSubviews()
            view.layoutSubviews()
            view.controller?.viewDidLayoutSubviews()
            hasLaidOut = true
        }
        for subview in view.subviews where layOut(subview) { hasLaidOut = true }
        return hasLaidOut
    }
}

extension NSLayoutConstraint {
    fileprivate var isFinite: Bool { constant.isFinite && multiplier.isFinite }

    /// The constraint in words that have nothing of what is shown.
    fileprivate var words: String {
        if let identifier { return "\"\(identifier.prefix(100))\"" }
        let items = [firstItem, secondItem].compactMap { $0.map { "\(type(of: $0))" } }
        return "\(firstAttribute) of \(items.joined(separator: " and ")), constant \(Double(constant))"
    }
}

extension CGFloat {
    /// Rounded to half a point.
    var toHalfPoint: CGFloat { (self * 2).rounded() / 2 }
}

extension CGRect {
    /// The rectangle with edges at half points, so that what lies side by side still does.
    fileprivate var toHalfPoints: CGRect {
        let (x, y) = (minX.toHalfPoint, minY.toHalfPoint)
        return CGRect(x: x, y: y, width: maxX.toHalfPoint - x, height: maxY.toHalfPoint - y)
    }

    fileprivate func isNear(_ other: CGRect) -> Bool {
        max(abs(minX - other.minX), abs(minY - other.minY), abs(width - other.width), abs(height - other.height)) < 1e-6
    }
}
