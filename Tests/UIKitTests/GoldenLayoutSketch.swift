// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

/// A small tree of views with names, for a layout whose frames are compared with a golden file.
@MainActor final class GoldenLayoutSketch {
    /// The view around all others, which follows its frame.
    let root: UIView
    private var named: [(name: String, item: AnyObject)] = []

    init(_ width: CGFloat, _ height: CGFloat) {
        root = .box(width, height)
    }

    /// Puts a view that constraints place into another one, or into the root.
    @discardableResult
    func add<View: UIView>(_ name: String, _ view: View, to outer: UIView? = nil) -> View {
        view.translatesAutoresizingMaskIntoConstraints = false
        return keep(name, view, in: outer)
    }

    /// Puts an empty view that constraints place into another one, or into the root.
    @discardableResult
    func add(_ name: String, to outer: UIView? = nil) -> UIView { add(name, UIView(), to: outer) }

    /// Puts a view that follows its frame into another one, or into the root.
    @discardableResult
    func addFrame(_ name: String, _ frame: CGRect, _ mask: UIView.AutoresizingMask, to outer: UIView? = nil) -> UIView {
        let view = UIView(frame: frame)
        view.autoresizingMask = mask
        return keep(name, view, in: outer)
    }

    /// Puts a view with content of a size into another one, or into the root.
    @discardableResult
    func add(_ name: String, _ width: CGFloat, _ height: CGFloat, to outer: UIView? = nil) -> SizedView {
        add(name, SizedView(width, height), to: outer)
    }

    /// Puts a text into another view, or into the root; with 0 it has as many lines as it needs.
    @discardableResult
    func add(
        _ name: String,
        _ text: String,
        _ size: CGFloat = 17,
        lines: Int = 1,
        to outer: UIView? = nil
    ) -> UILabel {
        let label = UILabel()
        label.text = text
        label.font = .systemFont(ofSize: size)
        label.numberOfLines = lines
        return add(name, label, to: outer)
    }

    /// Puts a row or a column of views with content into the root.
    @discardableResult
    func stack(
        _ axis: NSLayoutConstraint.Axis,
        _ distribution: UIStackView.Distribution,
        _ alignment: UIStackView.Alignment,
        spacing: CGFloat = 0,
        of sizes: [(CGFloat, CGFloat)] = [(60, 30), (40, 50), (20, 10)]
    ) -> UIStackView {
        let stack = add("stack", UIStackView())
        (stack.axis, stack.distribution, stack.alignment, stack.spacing) = (axis, distribution, alignment, spacing)
        for (index, size) in sizes.enumerated() { arrange("\(index + 1)", SizedView(size.0, size.1), in: stack) }
        return stack
    }

    /// Puts a view behind those that a stack view arranges.
    @discardableResult
    func arrange<View: UIView>(_ name: String, _ view: View, in stack: UIStackView) -> View {
        stack.addArrangedSubview(view)
        named.append((name, view))
        return view
    }

    /// Adds a guide to the root, or to another view.
    @discardableResult
    func guide(_ name: String, in outer: UIView? = nil) -> UILayoutGuide {
        let guide = UILayoutGuide()
        (outer ?? root).addLayoutGuide(guide)
        named.append((name, guide))
        return guide
    }

    private func keep<View: UIView>(_ name: String, _ view: View, in outer: UIView?) -> View {
        (outer ?? root).addSubview(view)
        named.append((name, view))
        return view
    }

    /// Lets constraints hold.
    func hold(_ constraints: NSLayoutConstraint...) { NSLayoutConstraint.activate(constraints) }

    /// Lets the constraints of visual formats hold.
    func hold(_ formats: [String], _ options: NSLayoutConstraint.FormatOptions = [], metrics: [String: Any] = [:]) {
        var views: [String: Any] = [:]
        for (name, item) in named { views[name] = item }
        for format in formats {
            NSLayoutConstraint.activate(
                NSLayoutConstraint.constraints(
                    withVisualFormat: format,
                    options: options,
                    metrics: metrics,
                    views: views
                )
            )
        }
    }

    /// Holds a view at the corner of the one around it, or at its edges where a number says so.
    func pin(
        _ view: UIView,
        left: CGFloat? = nil,
        top: CGFloat? = nil,
        right: CGFloat? = nil,
        bottom: CGFloat? = nil,
        width: CGFloat? = nil,
        height: CGFloat? = nil
    ) {
        guard let outer = view.superview else { return }
        let sides = [
            left.map { view.leftAnchor.constraint(equalTo: outer.leftAnchor, constant: $0) },
            top.map { view.topAnchor.constraint(equalTo: outer.topAnchor, constant: $0) },
            right.map { view.rightAnchor.constraint(equalTo: outer.rightAnchor, constant: -$0) },
            bottom.map { view.bottomAnchor.constraint(equalTo: outer.bottomAnchor, constant: -$0) },
            width.map { view.widthAnchor.constraint(equalToConstant: $0) },
            height.map { view.heightAnchor.constraint(equalToConstant: $0) },
        ]
        NSLayoutConstraint.activate(sides.compactMap(\.self))
    }

    /// Lets the root and all in it go from right to left.
    func goFromRightToLeft() { root.tell { $0.semanticContentAttribute = .forceRightToLeft } }

    /// The frames after a layout, a line each: a name, and where it stands in the view around it.
    var frames: String {
        root.layoutIfNeeded()
        return named.map { name, item in
            // A stack view gives a view that is not seen some place or other.
            if (item as? UIView)?.isHidden == true { return "\(name) hidden\n" }
            let frame = (item as? UIView)?.frame ?? (item as? UILayoutGuide)?.layoutFrame ?? .null
            let content = (item as? UIScrollView).map {
                " content \(Self.number($0.contentSize.width)) \(Self.number($0.contentSize.height))"
            }
            let numbers = [frame.minX, frame.minY, frame.width, frame.height].map(Self.number)
            return "\(name) \(numbers.joined(separator: " "))\(content ?? "")\n"
        }
        .joined()
    }

    /// A number with at most two places, so that the last bits of a sum are not seen.
    private static func number(_ value: CGFloat) -> String {
        let rounded = (Double(value) * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

/// A layout of the golden files, by its name.
struct GoldenLayout: Sendable {
    let name: String
    let width: CGFloat
    let height: CGFloat
    private let build: @MainActor @Sendable (GoldenLayoutSketch) -> Void

    init(
        _ name: String,
        _ width: CGFloat = 320,
        _ height: CGFloat = 200,
        _ build: @escaping @MainActor @Sendable (GoldenLayoutSketch) -> Void
    ) {
        (self.name, self.width, self.height, self.build) = (name, width, height, build)
    }

    /// The name, and the frames behind it.
    @MainActor var text: String {
        let sketch = GoldenLayoutSketch(width, height)
        build(sketch)
        return "# \(name)\n\(sketch.frames)"
    }
}
