// SPDX-License-Identifier: Apache-2.0

/// The names that storyboards have for the cases of UIKit's enumerations, with those of Swift.
///
/// Source: Apple, the pages of the enumerations; the storyboards' names as Xcode writes them.
enum Choices {
    /// A table of names that are the same on both sides.
    static func same(_ names: String...) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
    }

    static let contentModes = same(
        "scaleToFill",
        "scaleAspectFit",
        "scaleAspectFill",
        "redraw",
        "center",
        "top",
        "bottom",
        "left",
        "right",
        "topLeft",
        "topRight",
        "bottomLeft",
        "bottomRight"
    )
    static let semantics = [
        "unspecified": "unspecified", "playback": "playback", "spatial": "spatial",
        "forceLeftToRight": "forceLeftToRight", "forceRightToLeft": "forceRightToLeft",
    ]
    static let interfaceStyles = same("unspecified", "light", "dark")
    static let textAlignments = same("left", "center", "right", "justified", "natural")
    static let lineBreaks = [
        "wordWrap": "byWordWrapping", "characterWrap": "byCharWrapping", "clip": "byClipping",
        "headTruncation": "byTruncatingHead", "tailTruncation": "byTruncatingTail",
        "middleTruncation": "byTruncatingMiddle",
    ]
    static let paragraphBreaks = [
        "wordWrapping": "byWordWrapping", "charWrapping": "byCharWrapping", "clipping": "byClipping",
        "truncatingHead": "byTruncatingHead", "truncatingTail": "byTruncatingTail",
        "truncatingMiddle": "byTruncatingMiddle",
    ]
    static let writingDirections = same("natural", "leftToRight", "rightToLeft")
    static let baselines = same("alignBaselines", "alignCenters", "none")
    static let horizontals = same("left", "center", "right", "fill", "leading", "trailing")
    static let verticals = same("top", "center", "bottom", "fill")
    static let axes = same("horizontal", "vertical")
    static let distributions = same("fill", "fillEqually", "fillProportionally", "equalSpacing", "equalCentering")
    static let alignments = same(
        "fill",
        "leading",
        "top",
        "firstBaseline",
        "center",
        "trailing",
        "bottom",
        "lastBaseline"
    )
    static let states = same("normal", "highlighted", "disabled", "selected", "focused")
    static let buttonTypes = [
        "custom": "custom", "system": "system", "roundedRect": "system", "detailDisclosure": "detailDisclosure",
        "infoLight": "infoLight", "infoDark": "infoDark", "contactAdd": "contactAdd", "close": "close",
    ]
    static let configurations = [
        "plain": "plain", "gray": "gray", "tinted": "tinted", "filled": "filled", "borderless": "borderless",
        "bordered": "bordered", "borderedTinted": "borderedTinted", "borderedProminent": "borderedProminent",
        "bezeled": "bordered", "bezeledTinted": "borderedTinted", "bezeledProminent": "borderedProminent",
    ]
    static let cornerStyles = same("fixed", "dynamic", "small", "medium", "large", "capsule")
    static let buttonSizes = same("mini", "small", "medium", "large")
    static let indicators = same("automatic", "none", "popup")
    static let imagePlacements = same("leading", "trailing", "top", "bottom")
    static let titleAlignments = same("automatic", "leading", "center", "trailing")
    static let borderStyles = same("none", "line", "bezel", "roundedRect")
    static let viewModes = same("never", "whileEditing", "unlessEditing", "always")
    static let progressStyles = same("default", "bar")
    static let spinnerStyles = [
        "gray": "medium", "white": "medium", "whiteLarge": "large", "medium": "medium", "large": "large",
    ]
    static let indicatorStyles = same("default", "black", "white")
    static let keyboardDismissals = [
        "none": "none", "onDrag": "onDrag", "interactive": "interactive", "onDragWithAccessory": "onDrag",
        "interactiveWithAccessory": "interactive",
    ]
    static let insetAdjustments = same("automatic", "scrollableAxes", "never", "always")
    static let pickerModes = same("time", "date", "dateAndTime", "countDownTimer", "yearAndMonth")
    static let pickerStyles = same("automatic", "wheels", "compact", "inline")
    static let mapTypes = same(
        "standard",
        "satellite",
        "hybrid",
        "satelliteFlyover",
        "hybridFlyover",
        "mutedStandard"
    )
    static let swipes = same("right", "left", "up", "down")
    static let relations = [
        "equal": "equal", "lessThanOrEqual": "lessThanOrEqual", "greaterThanOrEqual": "greaterThanOrEqual",
    ]
    static let constraintAttributes = [
        "left": "left", "right": "right", "top": "top", "bottom": "bottom", "leading": "leading",
        "trailing": "trailing", "width": "width", "height": "height", "centerX": "centerX", "centerY": "centerY",
        "baseline": "lastBaseline", "lastBaseline": "lastBaseline", "firstBaseline": "firstBaseline",
        "leftMargin": "leftMargin", "rightMargin": "rightMargin", "topMargin": "topMargin",
        "bottomMargin": "bottomMargin", "leadingMargin": "leadingMargin", "trailingMargin": "trailingMargin",
        "centerXWithinMargins": "centerXWithinMargins", "centerYWithinMargins": "centerYWithinMargins",
    ]
    static let blurs = same(
        "extraLight",
        "light",
        "dark",
        "extraDark",
        "regular",
        "prominent",
        "systemUltraThinMaterial",
        "systemThinMaterial",
        "systemMaterial",
        "systemThickMaterial",
        "systemChromeMaterial",
        "systemUltraThinMaterialLight",
        "systemThinMaterialLight",
        "systemMaterialLight",
        "systemThickMaterialLight",
        "systemChromeMaterialLight",
        "systemUltraThinMaterialDark",
        "systemThinMaterialDark",
        "systemMaterialDark",
        "systemThickMaterialDark",
        "systemChromeMaterialDark"
    )
    static let events = same(
        "touchDown",
        "touchDownRepeat",
        "touchDragInside",
        "touchDragOutside",
        "touchDragEnter",
        "touchDragExit",
        "touchUpInside",
        "touchUpOutside",
        "touchCancel",
        "valueChanged",
        "primaryActionTriggered",
        "editingDidBegin",
        "editingChanged",
        "editingDidEnd",
        "editingDidEndOnExit",
        "allTouchEvents",
        "allEditingEvents",
        "allEvents"
    )
}
