// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// Values that no author means, the same for the same seed.
struct HostileValues: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func number() -> Double {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, 0, -0.0, 1, -1, 0.5, 1e-300, 1e300, -1e300, 100_001, -100_001, 4097, 33.333,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, 254, 12,
        ]
        return numbers.randomElement(using: &self) ?? 0
    }

    mutating func rect() -> CGRect { CGRect(x: number(), y: number(), width: number(), height: number()) }

    mutating func text() -> String {
        let texts = [
            "", "a", "Hello", String(repeating: "x", count: 9_000), String(repeating: "y\n", count: 500),
            String(repeating: "\"\\", count: 5_000), "\u{0}\u{1}\u{7F}\u{9B}",
            String(repeating: "\u{1F600}", count: 3_000),
            String(repeating: "\u{2028}", count: 700), String(repeating: "\r\n", count: 450),
            "e" + String(repeating: "\u{301}", count: 20_000), String(repeating: "שלום ", count: 1_200), "مرحبا\nبك",
        ]
        return texts.randomElement(using: &self) ?? ""
    }

    mutating func color() -> UIColor? {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: nil
        case 1: UIColor(red: number(), green: number(), blue: number(), alpha: number())
        case 2: UIColor(hue: number(), saturation: number(), brightness: number(), alpha: number())
        default: .label
        }
    }

    mutating func font() -> UIFont {
        .systemFont(ofSize: number(), weight: UIFont.Weight(rawValue: CGFloat(number())))
    }

    mutating func image() -> UIImage? {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: nil
        case 1: UIImage(systemName: ["heart.fill", "", "no/../such\n", text()].randomElement(using: &self) ?? "")
        default: UIImage(data: Data("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8))
        }
    }

    mutating func attributed() -> NSAttributedString {
        let whole = NSMutableAttributedString(string: "")
        for _ in 0..<Int.random(in: 0..<200, using: &self) {
            let style = NSMutableParagraphStyle()
            style.alignment = .justified
            style.lineSpacing = CGFloat(number())
            whole.append(
                NSAttributedString(
                    string: Bool.random(using: &self) ? "ab " : text(),
                    attributes: [
                        .font: font(), .foregroundColor: color() ?? .red, .underlineStyle: 1, .paragraphStyle: style,
                        .kern: number(),
                    ]
                )
            )
            guard whole.length < 20_000 else { break }
        }
        return whole
    }
}

/// Views and layers of every kind that draws itself, each with values that no author means.
@MainActor private struct HostileViews {
    var values: HostileValues

    mutating func label() -> UIView {
        let label = UILabel()
        if Bool.random(using: &values) {
            label.text = values.text()
        } else {
            label.attributedText = values.attributed()
        }
        (label.font, label.textColor) = (values.font(), values.color())
        label.numberOfLines = [0, 1, -1, 500, Int.max].randomElement(using: &values) ?? 0
        label.minimumScaleFactor = values.number()
        label.adjustsFontSizeToFitWidth = Bool.random(using: &values)
        return label
    }

    mutating func button() -> UIView {
        guard Bool.random(using: &values) else {
            let button = UIButton(type: .system)
            button.setTitle(values.text(), for: .normal)
            button.setAttributedTitle(values.attributed(), for: .highlighted)
            button.isHighlighted = Bool.random(using: &values)
            button.setImage(values.image(), for: .normal)
            button.setBackgroundImage(values.image(), for: .normal)
            button.contentEdgeInsets = UIEdgeInsets(top: values.number(), left: values.number(), bottom: 0, right: 0)
            button.titleLabel?.font = values.font()
            return button
        }
        var configuration = UIButton.Configuration.tinted()
        configuration.title = values.text()
        configuration.subtitle = values.text()
        configuration.image = values.image()
        configuration.imagePadding = values.number()
        configuration.background.strokeWidth = values.number()
        configuration.background.strokeColor = values.color()
        configuration.background.cornerRadius = values.number()
        configuration.cornerStyle = .fixed
        return UIButton(configuration: configuration)
    }

    mutating func slider() -> UIView {
        let slider = UISlider()
        slider.maximumValue = Float(values.number())
        slider.minimumValue = Float(values.number())
        slider.value = Float(values.number())
        slider.tintColor = values.color()
        return slider
    }

    mutating func stepper() -> UIView {
        let stepper = UIStepper()
        stepper.maximumValue = values.number()
        stepper.minimumValue = values.number()
        stepper.stepValue = values.number()
        stepper.value = values.number()
        return stepper
    }

    mutating func segments() -> UIView {
        let count = [0, 3, 17, 10_000].randomElement(using: &values) ?? 0
        let text = values.text()
        let control = UISegmentedControl(items: Array(repeating: text as Any, count: count))
        if let image = values.image() { control.insertSegment(with: image, at: 1, animated: false) }
        control.selectedSegmentIndex = [-1, 0, 16, 9_999, Int.max].randomElement(using: &values) ?? 0
        return control
    }

    mutating func pages() -> UIView {
        let pages = UIPageControl()
        pages.numberOfPages = [0, 1, 50, 100_000, Int.max].randomElement(using: &values) ?? 0
        pages.currentPage = [0, 49, 99_999, Int.max, -5].randomElement(using: &values) ?? 0
        pages.pageIndicatorTintColor = values.color()
        return pages
    }

    mutating func field() -> UIView {
        let field = UITextField()
        field.attributedText = values.attributed()
        if Bool.random(using: &values) { field.text = values.text() }
        field.placeholder = values.text()
        field.font = values.font()
        field.isSecureTextEntry = Bool.random(using: &values)
        field.borderStyle = .roundedRect
        return field
    }

    mutating func editor() -> UIView {
        let view = UITextView()
        if Bool.random(using: &values) { view.attributedText = values.attributed() } else { view.text = values.text() }
        view.isEditable = Bool.random(using: &values)
        view.isScrollEnabled = Bool.random(using: &values)
        view.font = values.font()
        view.textContainerInset = UIEdgeInsets(top: values.number(), left: values.number(), bottom: 0, right: 0)
        return view
    }

    mutating func date() -> UIView {
        let picker = UIDatePicker()
        picker.minimumDate = Date(timeIntervalSince1970: values.number())
        picker.maximumDate = Date(timeIntervalSince1970: values.number())
        picker.date = Date(timeIntervalSince1970: values.number())
        picker.minuteInterval = Int.random(in: -5...80, using: &values)
        return picker
    }

    mutating func indicator() -> UIView {
        switch Int.random(in: 0..<4, using: &values) {
        case 0:
            let view = UIProgressView(progressViewStyle: .default)
            view.progress = Float(values.number())
            return view
        case 1:
            let view = UIActivityIndicatorView(style: .large)
            view.color = values.color()
            view.startAnimating()
            return view
        case 2:
            let view = UIImageView(image: values.image())
            view.tintColor = values.color()
            return view
        default:
            let view = UISwitch()
            view.isOn = true
            view.onTintColor = values.color()
            return view
        }
    }

    mutating func scroll() -> UIView {
        let view = UIScrollView()
        view.contentSize = CGSize(width: values.number(), height: values.number())
        view.contentInset = UIEdgeInsets(top: values.number(), left: values.number(), bottom: 0, right: values.number())
        view.contentOffset = CGPoint(x: values.number(), y: values.number())
        return view
    }

    mutating func view() -> UIView {
        let view =
            switch Int.random(in: 0..<12, using: &values) {
            case 0: label()
            case 1: button()
            case 2: slider()
            case 3: stepper()
            case 4: segments()
            case 5: pages()
            case 6: field()
            case 7: editor()
            case 8: date()
            case 9: indicator()
            case 10: scroll()
            default: UIView()
            }
        if Bool.random(using: &values) { view.frame = values.rect() }
        if Bool.random(using: &values) { view.accessibilityLabel = values.text() }
        if Bool.random(using: &values) {
            view.transform = CGAffineTransform(
                a: values.number(),
                b: values.number(),
                c: values.number(),
                d: values.number(),
                tx: values.number(),
                ty: values.number()
            )
        }
        view.backgroundColor = values.color()
        view.alpha = values.number()
        dress(view.layer)
        if Bool.random(using: &values) { view.layer.addSublayer(layer()) }
        return view
    }

    private mutating func dress(_ layer: CALayer) {
        layer.cornerRadius = values.number()
        layer.borderWidth = values.number()
        layer.borderColor = values.color()?.cgColor
        layer.shadowOpacity = Float(values.number())
        layer.shadowRadius = values.number()
        layer.shadowOffset = CGSize(width: values.number(), height: values.number())
        layer.zPosition = values.number()
        layer.anchorPoint = Bool.random(using: &values) ? CGPoint(x: values.number(), y: values.number()) : .zero
    }

    private mutating func layer() -> CALayer {
        let layer: CALayer
        switch Int.random(in: 0..<4, using: &values) {
        case 0:
            let text = CATextLayer()
            text.string = Bool.random(using: &values) ? values.text() as Any : values.attributed() as Any
            text.fontSize = values.number()
            text.foregroundColor = values.color()?.cgColor
            layer = text
        case 1:
            let gradient = CAGradientLayer()
            gradient.colors = [values.color(), values.color()].compactMap { $0?.cgColor }
            gradient.startPoint = CGPoint(x: values.number(), y: values.number())
            gradient.endPoint = CGPoint(x: values.number(), y: values.number())
            layer = gradient
        case 2:
            let shape = CAShapeLayer()
            shape.path = UIBezierPath(roundedRect: values.rect(), cornerRadius: values.number()).cgPath
            shape.lineWidth = values.number()
            shape.strokeColor = values.color()?.cgColor
            layer = shape
        default: layer = CALayer()
        }
        layer.frame = values.rect()
        dress(layer)
        return layer
    }
}

@MainActor @Suite struct HostileSceneTests {
    /// Draws what is in the box as its host takes it, three times, each behind some changes; a broken limit throws.
    private func show(_ views: [UIView], changing change: (() -> Void)? = nil) throws -> SceneTree {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 360, height: 600))
        let controller = UIViewController(nibName: nil, bundle: nil)
        for view in views { controller.view.addSubview(view) }
        window.rootViewController = controller
        var tree = SceneTree()
        for _ in 0..<3 {
            let drawn = window.draw(in: ViewEnvironment()) { _ in 7 }
            let update = SceneUpdate(set: drawn.set, gone: drawn.gone)
            try tree.apply(SceneUpdate(update.body))
            change?()
        }
        return tree
    }

    @Test("values that no author means break no limit of a scene", arguments: 0..<24)
    func any(seed: Int) throws {
        var views = HostileViews(values: HostileValues(seed: UInt64(seed)))
        let count = [5, 20, 60].randomElement(using: &views.values) ?? 5
        let shown = (0..<count).map { _ in views.view() }
        for (index, view) in shown.enumerated().dropFirst() where index.isMultiple(of: 3) {
            shown[index - 1].addSubview(view)
        }
        let outer = shown.filter { $0.superview == nil }
        let tree = try show(outer) { outer.first?.isHidden.toggle() }
        #expect(tree.count > 1)
    }

    @Test("of 500 labels of many lines each 400 lines are drawn, and the rest is a rectangle")
    func labels() throws {
        let labels = (0..<500).map { number in
            let label = UILabel(frame: CGRect(x: 0, y: 0, width: 100, height: 900))
            label.numberOfLines = 0
            label.text = "\(number)\nb\nc"
            return label
        }
        // A view has 256 children.
        let halves = [UIView(), UIView()]
        for (index, label) in labels.enumerated() { halves[index / 250].addSubview(label) }
        let tree = try show(halves)
        let kinds = tree.inOrder.map(\.kind.name)
        #expect(kinds.count { $0 == .text } == 400)
        #expect(kinds.count { $0 == .view } == 103)
    }

    @Test("dots of pages and layers with texts count as lines")
    func dotsAndLayers() throws {
        let views = (0..<200).map { _ in
            let pages = UIPageControl(frame: CGRect(x: 0, y: 0, width: 200, height: 26))
            pages.numberOfPages = 3
            let text = CATextLayer()
            text.string = "a\nb\nc\nd"
            pages.layer.addSublayer(text)
            return pages
        }
        let tree = try show(views)
        #expect(tree.inOrder.reduce(0) { $0 + $1.lineCount } == 400)
    }

    @Test("titles, names and placeholders share the bytes of a scene's texts")
    func titles() throws {
        let long = String(repeating: "t", count: 400)
        let views = (0..<250).map { _ in
            let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 30))
            button.setTitle(long, for: .normal)
            button.accessibilityLabel = long
            return button
        }
        let tree = try show(views)
        #expect(tree.inOrder.reduce(0) { $0 + $1.textByteCount } <= SceneLimits.textByteCount)
        #expect(tree.count == 251)
    }

    @Test("nodes with much look are left out where a scene has no bytes for them, from the last on")
    func looks() throws {
        let outer = [UIView(), UIView()]
        for view in outer {
            for _ in 0..<250 {
                let box = UIButton(frame: CGRect(x: 1.125, y: 2.125, width: 33.375, height: 44.625))
                box.setTitle(String(repeating: "\"", count: 120), for: .normal)
                box.setTitleColor(.label, for: .normal)
                box.backgroundColor = .secondarySystemBackground
                box.transform = CGAffineTransform(a: 1.111, b: 2.222, c: 3.333, d: 4.444, tx: 5.555, ty: 6.666)
                box.layer.borderWidth = 1.125
                box.layer.borderColor = UIColor.red.cgColor
                box.layer.shadowOpacity = 0.5
                box.layer.cornerRadius = 1.125
                box.alpha = 0.123
                view.addSubview(box)
            }
        }
        let tree = try show(outer)
        #expect(tree.count > 300)
        #expect(tree.count < 503)
        #expect(tree.inOrder.reduce(0) { $0 + $1.byteCount } <= SceneLimits.byteCount)
    }

    @Test("a layer in itself, and one that is named twice, end nothing")
    func circles() throws {
        let (view, outer, inner) = (UIView(), CALayer(), CALayer())
        view.layer.addSublayer(outer)
        outer.addSublayer(inner)
        inner.addSublayer(outer)
        #expect(outer.superlayer === view.layer)
        outer.sublayers = [inner, inner, outer]
        #expect(outer.sublayers == [inner])
        let tree = try show([view])
        #expect(tree.count == 4)
    }
}
