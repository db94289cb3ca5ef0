// SPDX-License-Identifier: Apache-2.0

import SceneModel

/// A push button.
public struct Button: SceneContent {
    private let title: String
    private let symbol: String?
    private let act: @MainActor () -> Void
    private var color: Color?
    private var font: Font?

    /// A button that calls a function, with one of Apple's SF Symbols before its title.
    public init(_ title: String, symbol: String? = nil, action: @escaping @MainActor () -> Void) {
        self.title = title.cut(toByteCount: SceneLimits.titleByteCount)
        self.symbol = symbol?.symbolName
        act = action
    }

    /// The button as one element.
    public var elements: SceneElements {
        var element = Element { place in
            .button(SceneButton(title: title, symbol: symbol, font: font.scene(place.textSize), color: color?.scene))
        }
        element.acts[.tap] = { [act] _ in act() }
        return SceneElements(list: [element])
    }

    /// The title in another font.
    public func font(_ font: Font) -> Button { changed { $0.font = font } }

    /// The title in another colour.
    public func color(_ color: Color) -> Button { changed { $0.color = color } }

    private func changed(_ change: (inout Button) -> Void) -> Button {
        var button = self
        change(&button)
        return button
    }
}

/// A value that a person chooses along a line.
///
/// Bounds are numbers from -100,000 to 100,000. A slider whose bounds go farther shows the nearest value, and takes
/// none.
public struct Slider: SceneContent {
    /// The slider as one element.
    public let elements: SceneElements

    /// A slider between two bounds; with a `step` it takes values of that distance alone, from the lower bound on.
    public init(
        value: Binding<Double>,
        in bounds: ClosedRange<Double> = 0...1,
        step: Double = 0,
        color: Color? = nil
    ) {
        let range = SceneRange(value, bounds, step: step, color)
        elements = SceneElements(list: [.range(value) { .slider(range) }])
    }
}

/// A value that a person makes larger or smaller by one step at a time.
///
/// Bounds are those of a ``Slider``.
public struct Stepper: SceneContent {
    /// The stepper as one element.
    public let elements: SceneElements

    /// A stepper between two bounds.
    public init(value: Binding<Double>, in bounds: ClosedRange<Double>, step: Double = 1) {
        let range = SceneRange(value, bounds, step: step, nil)
        elements = SceneElements(list: [.range(value) { .stepper(range) }])
    }
}

/// A switch that is on or off.
public struct Toggle: SceneContent {
    /// The switch as one element.
    public let elements: SceneElements

    /// A switch without a text of its own; a screen reader and a terminal call it by the name.
    public init(_ name: String, isOn: Binding<Bool>, color: Color? = nil) {
        let control = SceneSwitch(isOn: isOn.wrappedValue, tint: color?.scene)
        var element = Element.control({ _ in .switch(control) }) { value in
            if case .flag(let flag) = value { isOn.wrappedValue = flag }
        }
        element.label = name.cut(toByteCount: SceneLimits.titleByteCount)
        elements = SceneElements(list: [element])
    }
}

/// Choices in a line, of which a person takes one.
public struct Segments: SceneContent {
    /// The choices as one element.
    public let elements: SceneElements

    /// Choices by their titles, 16 at most; the value is the index of one, and `nil` where none is chosen.
    public init(_ titles: [String], chosen: Binding<Int?>) {
        let shown = titles.prefix(SceneLimits.segmentCount).map { $0.cut(toByteCount: SceneLimits.titleByteCount) }
        let index = chosen.wrappedValue.flatMap { shown.indices.contains($0) ? $0 : nil }
        let segments = SceneSegments(titles: shown, chosen: index)
        let element = Element.control({ _ in .segments(segments) }) { value in
            if let index = value.number.flatMap(Int.init(exactly:)) { chosen.wrappedValue = index }
        }
        elements = SceneElements(list: [element])
    }
}

extension Element {
    /// A control that takes a number.
    fileprivate static func range(_ value: Binding<Double>, _ kind: @escaping () -> SceneKind) -> Element {
        control({ _ in kind() }) { chosen in
            if let number = chosen.number { value.wrappedValue = number }
        }
    }
}

extension SceneValue {
    fileprivate var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

extension SceneRange {
    @MainActor fileprivate init(_ value: Binding<Double>, _ bounds: ClosedRange<Double>, step: Double, _ color: Color?)
    {
        let lower = bounds.lowerBound.within(SceneLimits.number)
        let upper = bounds.upperBound.within(SceneLimits.number)
        self.init(
            value: value.wrappedValue.within(lower...upper),
            minimum: lower,
            maximum: upper,
            step: step.within(0...SceneLimits.number.upperBound),
            tint: color?.scene,
            isDisabled: lower...upper != bounds
        )
    }
}
