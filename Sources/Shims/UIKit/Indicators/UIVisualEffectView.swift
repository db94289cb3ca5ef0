// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility

/// An effect of the view behind, which the page draws as a plain tint.
///
/// Source: Apple, "UIVisualEffect".
@preconcurrency @MainActor open class UIVisualEffect: NSObject {
    /// The colour that stands for the effect.
    var tint: UIColor? { nil }
}

/// The blur of what is behind.
open class UIBlurEffect: UIVisualEffect {
    /// The strength and brightness of a blur.
    public enum Style: Int, Sendable {
        case extraLight, light, dark, extraDark, regular, prominent
        case systemUltraThinMaterial, systemThinMaterial, systemMaterial, systemThickMaterial, systemChromeMaterial
        case systemUltraThinMaterialLight, systemThinMaterialLight, systemMaterialLight, systemThickMaterialLight
        case systemChromeMaterialLight
        case systemUltraThinMaterialDark, systemThinMaterialDark, systemMaterialDark, systemThickMaterialDark
        case systemChromeMaterialDark
    }

    private let style: Style

    /// A blur of a style.
    public init(style: Style) {
        self.style = style
        super.init()
    }

    override var tint: UIColor? {
        switch style {
        case .extraLight, .light, .systemUltraThinMaterialLight, .systemThinMaterialLight, .systemMaterialLight,
            .systemThickMaterialLight, .systemChromeMaterialLight:
            UIColor(white: 0.97, alpha: 0.8)
        case .dark, .extraDark, .systemUltraThinMaterialDark, .systemThinMaterialDark, .systemMaterialDark,
            .systemThickMaterialDark, .systemChromeMaterialDark:
            UIColor(white: 0.11, alpha: 0.8)
        case .regular, .prominent, .systemUltraThinMaterial, .systemThinMaterial, .systemMaterial, .systemThickMaterial,
            .systemChromeMaterial:
            .secondarySystemBackground.withAlphaComponent(0.8)
        }
    }
}

/// The brightness of what stands on a blur; without effect, as the page draws colours as they are.
open class UIVibrancyEffect: UIVisualEffect {
    /// An effect for what stands on a blur.
    public init(blurEffect: UIBlurEffect) {
        super.init()
    }

    /// An effect of a strength for what stands on a blur.
    public init(blurEffect: UIBlurEffect, style: UIVibrancyEffectStyle) {
        super.init()
    }
}

/// The strength of an effect for what stands on a blur.
public enum UIVibrancyEffectStyle: Int, Sendable {
    case label, secondaryLabel, tertiaryLabel, quaternaryLabel, fill, secondaryFill, tertiaryFill, separator
}

/// A view with an effect behind its content.
///
/// Source: Apple, "UIVisualEffectView".
open class UIVisualEffectView: UIView {
    /// The view that has the content.
    public let contentView = UIView()
    /// The effect.
    @_OnMainThread open var effect: UIVisualEffect? { didSet { takeEffect() } }

    /// A view with an effect.
    public init(effect: UIVisualEffect?) {
        super.init(frame: .zero)
        self.effect = effect
        takeEffect()
    }

    /// A view of a storyboard or xib.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setUp() {
        contentView.frame = bounds
        contentView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        insertSubview(contentView, at: 0)
    }

    private func takeEffect() {
        // An effect that goes to the main thread is not there yet.
        if MainThread.isCurrent { backgroundColor = effect?.tint }
    }
}
