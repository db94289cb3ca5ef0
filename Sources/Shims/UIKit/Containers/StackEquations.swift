// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver

/// The equations of a stack view for the places of the views that it arranges.
///
/// The canvas is the stack view, or what is inside of its margins. What iOS leaves ambiguous is decided here, so that a
/// layout is the same each time. The priorities, from the strongest to the weakest:
///
/// | priority | what |
/// |---|---|
/// | 1000 | first and last view at the ends of the canvas, distances, equal sizes; edges, middles, baselines across |
/// | 999.9 | a hidden view has no size along the axis |
/// | 999, 998, … | shares of `fillProportionally`, so that the last view takes what rounding and distances leave |
/// | 149 | equal distances of middles, which give way before a view is cut |
/// | 51 | across the axis, the canvas is as small as its views: 49 for one view and for baselines |
/// | 49 | along the axis, the canvas is as small as its views, where distances could be of any size |
/// | 25 | across the axis, a view without a size of its own has none |
/// | under 1 | of views with the same strengths the last gives way; baselines are at the first or the last edge |
///
/// The strengths of content are 250 and 750 unless code sets others, so that hugging and compression decide as on iOS.
/// Source: what UIStackView's constraints print on iOS, as in A. Grebenyuk, "Let's Build UIStackView".
@MainActor struct StackEquations {
    private let stack: UIStackView
    private let axis: NSLayoutConstraint.Axis
    private let cross: NSLayoutConstraint.Axis
    private let views: [UIView]
    private let isMirrored: Bool

    /// A part of a point that decides only between what costs the same.
    private static let least = 1.0 / 1024

    /// Takes the views as they are; `nil` for a stack view that arranges none.
    init?(of stack: UIStackView) {
        guard !stack.arrangedSubviews.isEmpty else { return nil }
        self.stack = stack
        axis = stack.axis
        cross = stack.axis == .horizontal ? .vertical : .horizontal
        views = stack.seenViews
        isMirrored = stack.effectiveUserInterfaceLayoutDirection == .rightToLeft
    }

    /// Adds all of it.
    func add(to equations: inout LayoutEquations) {
        for view in stack.arrangedSubviews where view.isHidden {
            guard let box = equations.box(of: view) else { continue }
            let size = LayoutSpan(box, axis, isMirrored: isMirrored).size
            equations.want(size, .equal, 0, UILayoutPriority(999.9))
        }
        guard let whole = equations.box(of: stack) else { return }
        let canvas = stack.isLayoutMarginsRelativeArrangement ? whole.inset(by: stack.layoutMargins) : whole
        let boxes = views.compactMap { view in
            equations.box(of: view)?.inset(by: view.alignmentRectInsets)
        }
        guard !boxes.isEmpty, boxes.count == views.count else { return }
        distribute(boxes.map { span($0, axis) }, along: span(canvas, axis), in: &equations)
        align(boxes.map { span($0, cross) }, across: span(canvas, cross), in: &equations)
    }

    private func span(_ box: LayoutBox, _ axis: NSLayoutConstraint.Axis) -> LayoutSpan {
        LayoutSpan(box, axis, isMirrored: isMirrored)
    }

    // MARK: Along the axis

    private func distribute(_ spans: [LayoutSpan], along canvas: LayoutSpan, in equations: inout LayoutEquations) {
        equations.add(spans[0].start, .equal, canvas.start)
        equations.add(spans[spans.count - 1].end, .equal, canvas.end)
        let isSpread = stack.distribution == .equalSpacing || stack.distribution == .equalCentering
        for index in spans.indices.dropLast() {
            let (end, start) = neighbours(spans, index, in: &equations)
            equations.add(
                start,
                isSpread ? .greaterThanOrEqual : .equal,
                end + stack.distance(after: views[index])
            )
        }
        if stack.distribution != .fillEqually { yieldLast(spans, in: &equations) }
        switch stack.distribution {
        case .fill: break
        case .fillEqually:
            for span in spans.dropFirst() { equations.add(span.size, .equal, spans[0].size) }
        case .fillProportionally: share(spans, along: canvas, in: &equations)
        case .equalSpacing:
            spread(spans.map { ($0.start, $0.end) }, .required, along: canvas, in: &equations)
        case .equalCentering:
            spread(spans.map { ($0.middle, $0.middle) }, UILayoutPriority(149), along: canvas, in: &equations)
        }
    }

    /// Returns the places between which the distance behind a view is measured.
    private func neighbours(
        _ spans: [LayoutSpan],
        _ index: Int,
        in equations: inout LayoutEquations
    ) -> (LayoutExpression, LayoutExpression) {
        guard axis == .vertical, stack.isBaselineRelativeArrangement,
            let last = equations.baseline(of: views[index], isFirst: false),
            let first = equations.baseline(of: views[index + 1], isFirst: true)
        else { return (spans[index].end, spans[index + 1].start) }
        return (last, first)
    }

    /// Lets the last of views with the same strengths be stretched or compressed, then the one before it.
    private func yieldLast(_ spans: [LayoutSpan], in equations: inout LayoutEquations) {
        let lengths = lengths(axis, in: &equations)
        for (index, span) in spans.enumerated().dropLast() {
            let share = Self.least * Double(spans.count - index) / Double(spans.count)
            equations.want(span.size * share, .equal, CGFloat(lengths[index] * share), UILayoutPriority(1))
        }
    }

    /// Returns the views' own sizes in a direction, 0 for a view that has none.
    private func lengths(_ axis: NSLayoutConstraint.Axis, in equations: inout LayoutEquations) -> [Double] {
        views.map { view in
            let size = equations.content(of: view).size
            let length = Double(axis == .horizontal ? size.width : size.height)
            return length.isFinite && length > 0 ? length : 0
        }
    }

    /// Gives each view the part of the canvas that its own size is of all sizes and distances.
    private func share(_ spans: [LayoutSpan], along canvas: LayoutSpan, in equations: inout LayoutEquations) {
        let sizes = lengths(axis, in: &equations)
        let distances = views.dropLast().reduce(0) { $0 + stack.distance(after: $1) }
        let sum = sizes.reduce(distances, +)
        guard sum > 0 else { return }
        for (index, span) in spans.enumerated() where sizes[index] > 0 {
            let priority = UILayoutPriority(max(800, 999 - Float(index)))
            equations.add(span.size, .equal, canvas.size * (sizes[index] / sum), priority)
        }
    }

    /// Gives all neighbours one distance.
    private func spread(
        _ places: [(start: LayoutExpression, end: LayoutExpression)],
        _ priority: UILayoutPriority,
        along canvas: LayoutSpan,
        in equations: inout LayoutEquations
    ) {
        let gaps = places.indices.dropLast().map { places[$0 + 1].start - places[$0].end }
        for gap in gaps.dropFirst() { equations.add(gap, .equal, gaps[0], priority) }
        equations.want(canvas.size, .equal, 0, UILayoutPriority(49))
    }

    // MARK: Across the axis

    private func align(_ spans: [LayoutSpan], across canvas: LayoutSpan, in equations: inout LayoutEquations) {
        if stack.alignment == .fill || isBaseline && axis == .vertical {
            for span in spans {
                equations.add(span.start, .equal, canvas.start)
                equations.add(span.size, .equal, canvas.size)
            }
            return
        }
        let lengths = lengths(cross, in: &equations)
        for (span, length) in zip(spans, lengths) {
            switch stack.alignment {
            case .leading: equations.add(span.start, .equal, canvas.start)
            case .trailing: equations.add(span.end, .equal, canvas.end)
            case .center: equations.add(span.middle, .equal, canvas.middle)
            case .fill, .firstBaseline, .lastBaseline:
                equations.add(span.start, .greaterThanOrEqual, canvas.start)
                equations.add(span.end, .lessThanOrEqual, canvas.end)
            }
            if !isBaseline { equations.add(span.size, .lessThanOrEqual, canvas.size) }
            if length == 0 { equations.want(span.size, .equal, 0, UILayoutPriority(25)) }
        }
        if isBaseline { alignBaselines(spans, across: canvas, in: &equations) }
        let strength: Float = isBaseline || spans.count == 1 ? 49 : 51
        equations.want(canvas.size, .equal, 0, UILayoutPriority(strength))
    }

    /// True for views on one line of text; a column has none.
    private var isBaseline: Bool { stack.alignment == .firstBaseline || stack.alignment == .lastBaseline }

    private func alignBaselines(_ spans: [LayoutSpan], across canvas: LayoutSpan, in equations: inout LayoutEquations) {
        let isFirst = stack.alignment == .firstBaseline
        let baselines = views.compactMap { equations.baseline(of: $0, isFirst: isFirst) }
        guard let first = baselines.first else { return }
        for baseline in baselines.dropFirst() { equations.add(baseline, .equal, first) }
        for span in spans {
            let distance = isFirst ? span.start - canvas.start : canvas.end - span.end
            equations.want(distance * Self.least, .lessThanOrEqual, 0, UILayoutPriority(1))
        }
    }
}
