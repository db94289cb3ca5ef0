// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Values of a button by its states; a state without one has that of the normal state.
struct ButtonValues<Value> {
    private var values: [UIControl.State: Value] = [:]

    /// The value of a state, or of the normal one.
    subscript(state: UIControl.State) -> Value? {
        get { values[state] ?? values[.normal] }
        set { values[state] = newValue }
    }

    /// The value that was given to a state itself, if that is not the normal one.
    func own(_ state: UIControl.State) -> Value? { state == .normal ? nil : values[state] }

    /// True if states differ.
    var isMixed: Bool { values.keys.contains { $0 != .normal } }
}

/// The values of a button for each of its states.
struct ButtonStates {
    var titles = ButtonValues<String>()
    var attributedTitles = ButtonValues<NSAttributedString>()
    var colors = ButtonValues<UIColor>()
    var shadowColors = ButtonValues<UIColor>()
    var images = ButtonValues<UIImage>()
    var backgrounds = ButtonValues<UIImage>()
    var symbols = ButtonValues<UIImage.SymbolConfiguration>()

    /// True if the state says what the content is, and so its size.
    var isMixed: Bool { titles.isMixed || attributedTitles.isMixed || images.isMixed || backgrounds.isMixed }
}
