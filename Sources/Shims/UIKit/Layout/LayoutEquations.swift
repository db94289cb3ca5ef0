// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver

/// The places of a view and of all that is in it, as expressions and as constraints between them.
///
/// Coordinates are those of the highest view. A view that follows its frame needs no variable: its box is said by that
/// of the view around it, so that constants are gone before the solver sees them. The variables of any other view are
/// its distance from the view around it and its size, so that what nothing decides is at the origin of that view.
@MainActor struct LayoutEquations {
    /// The room that the highest view has.
    enum Room {
        /// A size that it has, no more and no less.
        case fixed(CGSize)
        /// A target, wanted with two strengths.
        case wanted(CGSize, horizontal: UILayoutPriority, vertical: UILayoutPriority)
    }

    let root: UIView
    private var system = LayoutSystem()
    private var variableCount = 0
    /// True if the views are placed by the solution.
    private let isPlacing: Bool
    /// True if texts are broken for a width that is wanted, rather than widen the highest view.
    private let breaksTexts: Bool
    /// The widths in which texts were broken when they were placed last, for a size that says no width.
    private let textWidths: [ObjectIdentifier: CGFloat]
    private var boxes: [ObjectIdentifier: LayoutBox] = [:]
    /// The views of which a constraint or a container names the box or a guide.
    private(set) var named: Set<ObjectIdentifier> = []
    /// The contents that were measured, since a text is broken for each.
    private var contents: [ObjectIdentifier: LayoutContent] = [:]
    /// The constraints of the solver that a constraint of a source is.
    private var sources: [Int: NSLayoutConstraint] = [:]

    init(
        of root: UIView,
        in room: Room,
        breaksTexts: Bool = false,
        textWidths: [ObjectIdentifier: CGFloat] = [:]
    ) {
        (self.root, self.breaksTexts, self.textWidths) = (root, breaksTexts, textWidths)
        switch room {
        case .fixed(let size):
            isPlacing = true
            boxes[ObjectIdentifier(root)] = LayoutBox(
                x: LayoutExpression(),
                y: LayoutExpression(),
                width: LayoutExpression(constant: size.width),
                height: LayoutExpression(constant: size.height)
            )
        case .wanted(let size, let horizontal, let vertical):
            isPlacing = false
            var box = newBox(in: nil)
            (box.x, box.y) = (LayoutExpression(), LayoutExpression())
            boxes[ObjectIdentifier(root)] = box
            want(box.width, .equal, size.width, horizontal)
            want(box.height, .equal, size.height, vertical)
            addContent(of: root, box)
        }
        addViews(in: root)
        addConstraints(of: root)
    }

    /// Returns the places of all views, and the constraints that could not hold with those before them.
    func solved() -> (values: LayoutSolution, contradicting: [NSLayoutConstraint]) {
        let solution = system.solution()
        return (solution, solution.unsatisfied.compactMap { sources[$0] })
    }

    /// Returns the rectangle of a view or guide, in the coordinates of the highest view.
    func rect(of item: AnyObject, in values: LayoutSolution) -> CGRect? {
        guard let box = boxes[ObjectIdentifier(item)] else { return nil }
        return CGRect(
            x: values.value(box.x),
            y: values.value(box.y),
            width: max(0, values.value(box.width)),
            height: max(0, values.value(box.height))
        )
    }

    // MARK: Boxes

    private mutating func newBox(in outer: LayoutBox?) -> LayoutBox {
        let first = variableCount
        variableCount += 4
        let (x, y) = (LayoutExpression(LayoutVariable(first)), LayoutExpression(LayoutVariable(first + 1)))
        let box = LayoutBox(
            x: outer.map { $0.x + x } ?? x,
            y: outer.map { $0.y + y } ?? y,
            width: LayoutExpression(LayoutVariable(first + 2)),
            height: LayoutExpression(LayoutVariable(first + 3))
        )
        want(box.width, .greaterThanOrEqual, 0, .required)
        want(box.height, .greaterThanOrEqual, 0, .required)
        return box
    }

    private mutating func addViews(in view: UIView) {
        guard let outer = boxes[ObjectIdentifier(view)] else { return }
        for guide in view.layout.guides { boxes[ObjectIdentifier(guide)] = newBox(in: outer) }
        for subview in view.subviews {
            if subview.followsFrame {
                boxes[ObjectIdentifier(subview)] = Autoresizing(subview.followedMask)
                    .box(subview.layer.untransformedFrame, in: outer, of: view.bounds.size)
            } else {
                let box = newBox(in: outer)
                boxes[ObjectIdentifier(subview)] = box
                addContent(of: subview, box)
            }
            addViews(in: subview)
        }
        view.addEquations(to: &self)
    }

    /// Lets the size of the content hold with the strengths that the view has for it.
    private mutating func addContent(of view: UIView, _ box: LayoutBox) {
        let measured = content(of: view)
        if isPlacing { view.layout.solvedContent = measured }
        let content = measured.size
        let (hugging, compression) = (view.layout.hugging, view.layout.compression)
        let alignment = box.inset(by: view.alignmentRectInsets)
        if content.width >= 0 {
            want(alignment.width, .lessThanOrEqual, content.width, hugging.horizontal)
            let isBroken = breaksTexts && view.wrapsContent
            // The width that is wanted costs more than all texts that want to be wider.
            let strength = isBroken ? min(compression.horizontal.rawValue, 200) : compression.horizontal.rawValue
            want(alignment.width, .greaterThanOrEqual, content.width, UILayoutPriority(strength))
        }
        if content.height >= 0 {
            want(alignment.height, .lessThanOrEqual, content.height, hugging.vertical)
            want(alignment.height, .greaterThanOrEqual, content.height, compression.vertical)
        }
    }

    /// Returns the size of a view's content in the width that the view has.
    mutating func content(of view: UIView) -> LayoutContent {
        if let content = contents[ObjectIdentifier(view)] { return content }
        let content = LayoutContent(of: view, brokenIn: textWidths[ObjectIdentifier(view)])
        contents[ObjectIdentifier(view)] = content
        return content
    }

    /// Returns the box of a view or guide; `nil` for one outside of the highest view.
    mutating func box(of item: AnyObject) -> LayoutBox? {
        named.insert(ObjectIdentifier((item as? UILayoutGuide)?.owningView ?? item))
        if let box = boxes[ObjectIdentifier(item)] { return box }
        guard let guide = item as? UILayoutGuide, let view = guide.owningView,
            let outer = boxes[ObjectIdentifier(view)]
        else { return nil }
        var box = outer
        switch guide.place {
        case .free: return nil
        case .inset(let insets): box = outer.inset(by: insets(view))
        case .top: box.height = LayoutExpression()
        case .bottom: (box.y, box.height) = (outer.maxY, LayoutExpression())
        case .content:
            box = newBox(in: nil)
            (box.x, box.y) = (outer.x, outer.y)
            // As small as what is in it lets it be.
            want(box.width, .equal, 0, UILayoutPriority(1))
            want(box.height, .equal, 0, UILayoutPriority(1))
        }
        boxes[ObjectIdentifier(guide)] = box
        return box
    }

    // MARK: Constraints

    private mutating func addConstraints(of view: UIView) {
        for constraint in view.layout.constraints {
            guard let (first, second) = sides(of: constraint) else { continue }
            sources[add(first, constraint.relation, second, constraint.priority)] = constraint
        }
        for subview in view.subviews { addConstraints(of: subview) }
    }

    /// Adds a constraint between two expressions, and returns its number.
    @discardableResult
    mutating func add(
        _ first: LayoutExpression,
        _ relation: NSLayoutConstraint.Relation,
        _ second: LayoutExpression,
        _ priority: UILayoutPriority = .required
    ) -> Int {
        let solverRelation: LinearConstraint.Relation =
            switch relation {
            case .lessThanOrEqual: .lessOrEqual
            case .equal: .equal
            case .greaterThanOrEqual: .greaterOrEqual
            }
        return system.add(LinearConstraint(first, solverRelation, second, priority: Double(priority.rawValue)))
    }

    /// Wants an expression to be a number.
    mutating func want(
        _ expression: LayoutExpression,
        _ relation: NSLayoutConstraint.Relation,
        _ number: CGFloat,
        _ priority: UILayoutPriority
    ) {
        add(expression, relation, LayoutExpression(constant: number), priority)
    }
}
