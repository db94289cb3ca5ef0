// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog

extension NSLayoutConstraint {
    /// Makes constraints of a visual format, in which names stand for views and guides, and for numbers.
    ///
    /// A line alone is the standard distance: 8 points between two views, and between a view and the edge of the one
    /// around it that view's margin, as since iOS 8; Apple's older pages say 20 points. Without a line edges touch. A
    /// format that cannot be read is a fault of the source, as on iOS, where it raises an exception: the message shows
    /// the format with a mark at the place, in the log too, and the process ends.
    /// Source: Apple, "constraints(withVisualFormat:options:metrics:views:)".
    public class func constraints(
        withVisualFormat format: String,
        options opts: FormatOptions = [],
        metrics: [String: Any]?,
        views: [String: Any]
    ) -> [NSLayoutConstraint] {
        do throws(VisualFormatError) {
            var parser = VisualFormatParser(format)
            let parsed = try parser.parse()
            return try VisualFormatConstraints(parsed, format, opts, metrics: metrics ?? [:], views: views).make()
        } catch {
            HostLog.write(.fault, error.description)
            preconditionFailure(error.description)
        }
    }
}

/// The constraints of a visual format whose names have meanings.
@MainActor struct VisualFormatConstraints {
    private let parsed: VisualFormat
    private let format: String
    private let options: NSLayoutConstraint.FormatOptions
    private let metrics: [String: Any]
    private let views: [String: Any]

    init(
        _ parsed: VisualFormat,
        _ format: String,
        _ options: NSLayoutConstraint.FormatOptions,
        metrics: [String: Any],
        views: [String: Any]
    ) {
        (self.parsed, self.format, self.options) = (parsed, format, options)
        (self.metrics, self.views) = (metrics, views)
    }

    /// A view or a guide of the format.
    private struct Item {
        let object: AnyObject
        let box: VisualFormat.Box
    }

    /// The attributes of one direction.
    private struct Edges {
        let start: NSLayoutConstraint.Attribute
        let end: NSLayoutConstraint.Attribute
        let startMargin: NSLayoutConstraint.Attribute
        let endMargin: NSLayoutConstraint.Attribute
        /// -1 where the format goes against the coordinates.
        var sign: CGFloat = 1
    }

    /// Makes the constraints in the order of the format, those of the alignment last.
    func make() throws(VisualFormatError) -> [NSLayoutConstraint] {
        var items: [Item] = []
        for box in parsed.boxes { items.append(try item(box)) }
        let edges = edges
        var constraints: [NSLayoutConstraint] = []
        if let leading = parsed.leading, let first = items.first {
            let around = try around(first, parsed.leadingPlace)
            let attribute = leading == .standard ? edges.startMargin : edges.start
            constraints += try make(leading, (first.object, edges.start), (around, attribute), edges, standard: 0)
        }
        for (index, item) in items.enumerated() {
            for predicate in item.box.predicates { constraints.append(try size(of: item, predicate)) }
            guard index + 1 < items.count else { break }
            constraints += try make(
                parsed.connections[index],
                (items[index + 1].object, isBaseline ? .firstBaseline : edges.start),
                (item.object, isBaseline ? .lastBaseline : edges.end),
                edges,
                standard: SystemSpacing.points
            )
        }
        if let trailing = parsed.trailing, let last = items.last {
            let around = try around(last, parsed.trailingPlace)
            let attribute = trailing == .standard ? edges.endMargin : edges.end
            constraints += try make(trailing, (around, attribute), (last.object, edges.end), edges, standard: 0)
        }
        return constraints + (try alignment(items))
    }

    // MARK: Names

    private func item(_ box: VisualFormat.Box) throws(VisualFormatError) -> Item {
        guard let value = views[box.name] else {
            throw fault(box.place, "\"\(box.name)\" is no name of a view: give it in \"views\"")
        }
        guard let object = NSLayoutConstraint.item(value) else {
            throw fault(box.place, "\"\(box.name)\" is neither a view nor a guide")
        }
        return Item(object: object, box: box)
    }

    private func number(_ amount: VisualFormat.Amount, _ place: Int) throws(VisualFormatError) -> CGFloat {
        switch amount {
        case .number(let number): return CGFloat(number)
        case .name(let name):
            guard let value = metrics[name] else {
                throw fault(place, "\"\(name)\" is no name of a number: give it in \"metrics\"")
            }
            guard let number = Self.number(value) else { throw fault(place, "the metric \"\(name)\" is no number") }
            return number
        }
    }

    private static func number(_ value: Any) -> CGFloat? {
        switch value {
        case let number as CGFloat: number
        case let number as Double: CGFloat(number)
        case let number as Float: CGFloat(number)
        case let number as any BinaryInteger: CGFloat(Double(number))
        case let number as NSNumber: CGFloat(number.doubleValue)
        default: nil
        }
    }

    private func around(_ item: Item, _ place: Int) throws(VisualFormatError) -> UIView {
        let view = (item.object as? UIView)?.superview ?? (item.object as? UILayoutGuide)?.owningView
        guard let view else {
            throw fault(place, "\"|\" has no meaning, since \"\(item.box.name)\" is in no view: add it to one first")
        }
        return view
    }

    // MARK: Directions

    private var isLeftToRight: Bool { options.contains(.directionLeftToRight) }
    private var isRightToLeft: Bool { options.contains(.directionRightToLeft) }
    private var isBaseline: Bool { parsed.axis == .vertical && options.contains(.spacingBaselineToBaseline) }

    private var edges: Edges {
        guard parsed.axis == .horizontal else {
            return Edges(start: .top, end: .bottom, startMargin: .topMargin, endMargin: .bottomMargin)
        }
        if isRightToLeft {
            return Edges(start: .right, end: .left, startMargin: .rightMargin, endMargin: .leftMargin, sign: -1)
        }
        if isLeftToRight {
            return Edges(start: .left, end: .right, startMargin: .leftMargin, endMargin: .rightMargin)
        }
        return Edges(start: .leading, end: .trailing, startMargin: .leadingMargin, endMargin: .trailingMargin)
    }

    // MARK: Constraints

    private typealias Side = (item: AnyObject, attribute: NSLayoutConstraint.Attribute)

    /// Makes the constraints of a connection: `after` lies behind `before` by so much.
    private func make(
        _ connection: VisualFormat.Connection,
        _ after: Side,
        _ before: Side,
        _ edges: Edges,
        standard: CGFloat
    ) throws(VisualFormatError) -> [NSLayoutConstraint] {
        func constraint(_ relation: NSLayoutConstraint.Relation, _ constant: CGFloat) -> NSLayoutConstraint {
            let turned = NSLayoutConstraint.Relation(rawValue: -relation.rawValue) ?? relation
            return NSLayoutConstraint(
                item: after.item,
                attribute: after.attribute,
                relatedBy: edges.sign < 0 ? turned : relation,
                toItem: before.item,
                attribute: before.attribute,
                multiplier: 1,
                constant: constant == 0 ? 0 : edges.sign * constant
            )
        }
        switch connection {
        case .none: return [constraint(.equal, 0)]
        case .standard: return [constraint(.equal, standard)]
        case .predicates(let predicates):
            var constraints: [NSLayoutConstraint] = []
            for predicate in predicates {
                let made = constraint(predicate.relation, try number(predicate.amount, predicate.place))
                made.priority = try priority(predicate)
                constraints.append(made)
            }
            return constraints
        }
    }

    private func size(
        of item: Item,
        _ predicate: VisualFormat.Predicate
    ) throws(VisualFormatError) -> NSLayoutConstraint {
        let attribute: NSLayoutConstraint.Attribute = parsed.axis == .horizontal ? .width : .height
        var other: AnyObject?
        if case .name(let name) = predicate.amount, metrics[name] == nil {
            guard views[name] != nil else {
                throw fault(predicate.place, "\"\(name)\" is no name of a view or of a number")
            }
            other = try self.item(VisualFormat.Box(name: name, predicates: [], place: predicate.place)).object
        }
        let constraint = NSLayoutConstraint(
            item: item.object,
            attribute: attribute,
            relatedBy: predicate.relation,
            toItem: other,
            attribute: other == nil ? .notAnAttribute : attribute,
            multiplier: 1,
            constant: other == nil ? try number(predicate.amount, predicate.place) : 0
        )
        constraint.priority = try priority(predicate)
        return constraint
    }

    private func priority(_ predicate: VisualFormat.Predicate) throws(VisualFormatError) -> UILayoutPriority {
        guard let amount = predicate.priority else { return .required }
        let number = try number(amount, predicate.priorityPlace)
        guard number > 0, number <= 1000 else {
            throw fault(predicate.priorityPlace, "a priority is above 0 and at most 1000")
        }
        return UILayoutPriority(Float(number))
    }

    // MARK: Alignment

    private static let alignments: [(NSLayoutConstraint.FormatOptions, NSLayoutConstraint.Attribute)] = [
        (.alignAllLeft, .left), (.alignAllRight, .right), (.alignAllTop, .top), (.alignAllBottom, .bottom),
        (.alignAllLeading, .leading), (.alignAllTrailing, .trailing), (.alignAllCenterX, .centerX),
        (.alignAllCenterY, .centerY), (.alignAllLastBaseline, .lastBaseline), (.alignAllFirstBaseline, .firstBaseline),
    ]

    /// Makes the constraints that the options ask for: each view is aligned with the one before it.
    private func alignment(_ items: [Item]) throws(VisualFormatError) -> [NSLayoutConstraint] {
        var constraints: [NSLayoutConstraint] = []
        for (option, attribute) in Self.alignments where options.contains(option) {
            guard attribute.isHorizontal == (parsed.axis == .vertical) else {
                throw fault(0, "views that stand along a direction cannot be aligned along it too")
            }
            for (item, next) in zip(items, items.dropFirst()) {
                constraints.append(
                    NSLayoutConstraint(
                        item: item.object,
                        attribute: attribute,
                        relatedBy: .equal,
                        toItem: next.object,
                        attribute: attribute,
                        multiplier: 1,
                        constant: 0
                    )
                )
            }
        }
        return constraints
    }

    private func fault(_ place: Int, _ reason: String) -> VisualFormatError {
        VisualFormatError(format: format, place: place, reason: reason)
    }
}
