// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The look of a view that is seldom set.
struct ViewOptions {
    var tint: UIColor?
    var tintAdjustmentMode = UIView.TintAdjustmentMode.automatic
    var mask: UIView?
    var style = UIUserInterfaceStyle.unspecified
    var semantics = UISemanticContentAttribute.unspecified
    var isOpaque = true
    var clearsBeforeDrawing = true
    var scale: CGFloat?
    var takesManyTouches = false
    var isExclusive = false
    var traitWatches: [TraitWatch] = []
    /// True while those are called who hear that the view leaves the one around it.
    var isLeaving = false
}

/// The words of a view for a screen reader.
struct ViewAccessibility {
    var isElement = false
    var label: String?
    var hint: String?
    var value: String?
    var identifier: String?
    var traits = UIAccessibilityTraits.none
    var hidesElements = false
}

extension UIView {
    /// Tells the window that the scene looks otherwise.
    func changed() { layer.changed() }

    func tellOfTint() {
        tintColorDidChange()
        changed()
        for view in subviews where view.options.tint == nil { view.tellOfTint() }
    }

    /// True if what is in the view is cut at its bounds.
    public var clipsToBounds: Bool {
        get { layer.masksToBounds }
        set { layer.masksToBounds = newValue }
    }

    /// The strength of the tint; the page draws the tint itself.
    public var tintAdjustmentMode: TintAdjustmentMode {
        get { options.tintAdjustmentMode }
        set { options.tintAdjustmentMode = newValue }
    }

    /// This has no effect, as the page draws.
    public var isOpaque: Bool {
        get { options.isOpaque }
        set { options.isOpaque = newValue }
    }

    /// This has no effect, as the page draws.
    public var clearsContextBeforeDrawing: Bool {
        get { options.clearsBeforeDrawing }
        set { options.clearsBeforeDrawing = newValue }
    }

    /// Pixels of a point; setting it is without effect, as the page draws in the screen's.
    public var contentScaleFactor: CGFloat {
        get { options.scale ?? UIScreen.main.scale }
        set { options.scale = newValue }
    }

    /// This has no effect: a person has one pointer.
    public var isMultipleTouchEnabled: Bool {
        get { options.takesManyTouches }
        set { options.takesManyTouches = newValue }
    }

    /// This has no effect: a person has one pointer.
    public var isExclusiveTouch: Bool {
        get { options.isExclusive }
        set { options.isExclusive = newValue }
    }

    /// A view whose opacity cuts this one: nothing here draws one, so that all of this is seen.
    public var mask: UIView? {
        get { options.mask }
        set {
            options.mask = newValue
            if newValue != nil { Absent.note("UIView.mask", "what it would cut is drawn whole") }
        }
    }

    /// The appearance that the view asks for; a view has the style of the page.
    public var overrideUserInterfaceStyle: UIUserInterfaceStyle {
        get { options.style }
        set {
            options.style = newValue
            if newValue != .unspecified {
                Absent.note("overrideUserInterfaceStyle", "a view has the style of the page")
            }
        }
    }

    /// The direction that the content asks for.
    public var semanticContentAttribute: UISemanticContentAttribute {
        get { options.semantics }
        set {
            guard onMain(self.semanticContentAttribute = newValue) else { return }
            options.semantics = newValue
            setNeedsSolving()
        }
    }

    /// The direction in which the content of the view goes.
    public var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
        switch options.semantics {
        case .forceLeftToRight, .playback, .spatial: .leftToRight
        case .forceRightToLeft: .rightToLeft
        case .unspecified: traitCollection.layoutDirection == .rightToLeft ? .rightToLeft : .leftToRight
        }
    }
}

extension UIView {
    /// True if a screen reader says the view as one thing.
    public var isAccessibilityElement: Bool {
        get { accessibility.isElement }
        set { accessibility.isElement = newValue }
    }

    /// The name that a screen reader says.
    public var accessibilityLabel: String? {
        get { accessibility.label }
        set {
            guard onMain(self.accessibilityLabel = newValue) else { return }
            accessibility.label = newValue
            changed()
        }
    }

    /// The explanation that a screen reader adds; the page says the label alone.
    public var accessibilityHint: String? {
        get { accessibility.hint }
        set { accessibility.hint = newValue }
    }

    /// The value that a screen reader says; the page says that of the control.
    public var accessibilityValue: String? {
        get { accessibility.value }
        set { accessibility.value = newValue }
    }

    /// A name for tests.
    public var accessibilityIdentifier: String? {
        get { accessibility.identifier }
        set { accessibility.identifier = newValue }
    }

    /// The kind that a screen reader says; the page says that of the element.
    public var accessibilityTraits: UIAccessibilityTraits {
        get { accessibility.traits }
        set { accessibility.traits = newValue }
    }

    /// True if a screen reader says nothing of what is in the view.
    public var accessibilityElementsHidden: Bool {
        get { accessibility.hidesElements }
        set { accessibility.hidesElements = newValue }
    }
}
