// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import TextLayout

/// The words, the picture and the colours of a button in its present state.
///
/// Values by state say them, or the configuration.
@MainActor struct ButtonLook {
    /// Title and subtitle, each in a line.
    var lines: [String] = []
    var font: UIFont
    /// The colour of title and picture; `nil` means the page's accent.
    var color: UIColor?
    var image: UIImage?
    /// The name of a symbol that stands for a type of button.
    var symbol: String?
    var background: UIColor?
    var border: (width: CGFloat, color: UIColor)?
    /// The radius of the corners; `nil` means that of the layer.
    var radius: CGFloat?

    /// The text of the node, as far as it has room for it.
    var title: String { lines.joined(separator: "\n").shown.cut(toByteCount: SceneLimits.titleByteCount) }

    /// The size of the lines, in whole points of width.
    var textSize: CGSize {
        guard !lines.isEmpty else { return .zero }
        let size = font.size(of: title)
        return CGSize(width: size.width.rounded(.up), height: size.height)
    }

    /// The node that draws it; a picture without a title has its own height, of which the page draws 1.2 em.
    func node(file: UInt32?, isDisabled: Bool, height: CGFloat) -> SceneButton {
        var button = SceneButton(
            title: title,
            source: file,
            symbol: image?.sceneSymbol ?? symbol,
            font: font.sceneFont,
            color: color?.sceneColor,
            isDisabled: isDisabled
        )
        if button.title.isEmpty, button.source != nil || button.symbol != nil {
            button.font = SceneFont(size: Double(height / 1.2).scene(SceneFont.sizes))
        }
        return button
    }
}

extension UIButton {
    /// The look in the present state.
    var look: ButtonLook { configuration.map { look(of: $0) } ?? plainLook }

    /// The look by the values of the states.
    private var plainLook: ButtonLook {
        let state = state
        let attributed = states.attributedTitles[state]
        let title = attributed?.string ?? states.titles[state] ?? ""
        var look = ButtonLook(font: attributed?.first(.font, as: UIFont.self) ?? titleFont)
        look.lines = title.isEmpty ? [] : [title]
        look.image = shownImage
        look.symbol = look.image == nil ? buttonType.symbol : nil
        look.color = attributed?.first(.foregroundColor, as: UIColor.self) ?? ownTitleColor(for: state)
        if look.lines.isEmpty, look.image != nil || look.symbol != nil {
            look.color = look.image?.ownTint ?? look.image?.symbolConfiguration?.color ?? givenTint
        }
        return look
    }

    /// The colour of the title; `nil` means the page's accent.
    private func ownTitleColor(for state: State) -> UIColor? {
        states.colors[state] ?? (buttonType == .custom ? .white : givenTint)
    }

    /// The picture of the state in the size that the state says for symbols.
    var shownImage: UIImage? {
        guard let image = states.images[state] else { return nil }
        return states.symbols[state].flatMap { image.applyingSymbolConfiguration($0) } ?? image
    }

    private static func text(_ attributed: NSAttributedString?, _ plain: String?) -> AttributedString? {
        attributed.map { AttributedString($0) } ?? plain.map { AttributedString($0) }
    }

    /// The look by a configuration; a title, a picture or a colour of a state other than the normal one comes first.
    private func look(of configuration: Configuration) -> ButtonLook {
        let special = Self.text(states.attributedTitles.own(state), states.titles.own(state))
        let configured = configuration.attributedTitle ?? configuration.title.map { AttributedString($0) }
        let usual = Self.text(states.attributedTitles[.normal], states.titles[.normal])
        let attributed = special ?? configured ?? usual
        var attributes = attributed?.runs.first?.attributes ?? AttributeContainer()
        if let transformer = configuration.titleTextAttributesTransformer { attributes = transformer(attributes) }
        let subtitle = configuration.attributedSubtitle.map { String($0.characters) } ?? configuration.subtitle
        let title = attributed.map { String($0.characters) }
        var look = ButtonLook(font: attributes.font ?? configuration.buttonSize.font)
        look.lines = [title, subtitle].compactMap(\.self).filter { !$0.isEmpty }
        look.image = states.images.own(state) ?? configuration.image ?? states.images[.normal]
        if let symbols = configuration.preferredSymbolConfigurationForImage {
            look.image = look.image?.applyingSymbolConfiguration(symbols) ?? look.image
        }
        if configuration.showsActivityIndicator { (look.image, look.symbol) = (nil, "clock") }
        let tint = role == .destructive ? .systemRed : givenTint
        look.color =
            attributes.foregroundColor ?? states.colors.own(state)
            ?? (isEnabled ? configuration.foreground(tint) : .secondaryLabel)
        look.background = configuration.background(tint, isEnabled: isEnabled).map {
            configuration.background.backgroundColorTransformer?($0) ?? $0
        }
        if look.lines.isEmpty, look.image != nil, let transformer = configuration.imageColorTransformer {
            look.color = transformer(look.color ?? tint ?? .tintColor)
        }
        look.radius = configuration.radius(inHeight: bounds.height)
        if configuration.background.strokeWidth > 0, configuration.background.hasStroke {
            let color = configuration.background.resolvedStrokeColor(for: tint ?? .tintColor)
            look.border = (configuration.background.strokeWidth, color)
        }
        return look
    }

    /// The size of title and picture with the room around them, in numbers that a layout can have.
    var contentSize: CGSize {
        let size = wantedSize
        return CGSize(
            width: CGFloat(Double(size.width).within(SceneLimits.length)),
            height: CGFloat(Double(size.height).within(SceneLimits.length))
        )
    }

    private var wantedSize: CGSize {
        let look = look
        let text = look.textSize
        let picture = look.image?.size ?? (look.symbol == nil ? .zero : CGSize(width: 22, height: 22))
        guard let configuration else { return plainSize(text, picture) }
        let (insets, isBoth) = (configuration.contentInsets, text != .zero && picture != .zero)
        let padding = isBoth ? configuration.imagePadding : 0
        var size = text
        if look.lines.count > 1 { size.height += configuration.titlePadding }
        if configuration.imagePlacement == .top || configuration.imagePlacement == .bottom {
            size = CGSize(width: max(size.width, picture.width), height: size.height + padding + picture.height)
        } else {
            size = CGSize(width: size.width + padding + picture.width, height: max(size.height, picture.height))
        }
        return CGSize(
            width: size.width + insets.leading + insets.trailing,
            height: size.height + insets.top + insets.bottom
        )
    }

    private func plainSize(_ text: CGSize, _ picture: CGSize) -> CGSize {
        var insets = contentEdgeInsets
        // A title has room above and below it as long as nothing else is said.
        if insets == .zero, picture == .zero { (insets.top, insets.bottom) = (6, 6) }
        let height =
            text == .zero && picture == .zero ? titleFont.size(of: "").height : max(text.height, picture.height)
        let size = CGSize(
            width: max(picture == .zero ? 30 : 0, text.width + picture.width + insets.left + insets.right),
            height: height + insets.top + insets.bottom
        )
        let background = states.backgrounds[state]?.size ?? .zero
        return CGSize(width: max(size.width, background.width), height: max(size.height, background.height))
    }
}

extension UIButton.Configuration {
    /// The colour of title and picture; `nil` means the page's accent.
    fileprivate func foreground(_ tint: UIColor?) -> UIColor? {
        baseForegroundColor ?? (style == .filled ? .white : tint)
    }

    /// The colour behind them.
    fileprivate func background(_ tint: UIColor?, isEnabled: Bool) -> UIColor? {
        if let color = background.backgroundColor { return color }
        if !isEnabled { return style == .plain ? nil : .tertiarySystemFill }
        return switch style {
        case .plain: baseBackgroundColor
        case .gray: baseBackgroundColor ?? .secondarySystemFill
        case .tinted: (baseBackgroundColor ?? tint ?? .tintColor).withAlphaComponent(0.18)
        case .filled: baseBackgroundColor ?? tint ?? .tintColor
        }
    }
}

extension UIBackgroundConfiguration {
    /// True if the border has a colour.
    fileprivate var hasStroke: Bool { strokeColor != nil || strokeColorTransformer != nil }
}

extension UIButton.ButtonType {
    /// The symbol that stands for the type.
    fileprivate var symbol: String? {
        switch self {
        case .detailDisclosure, .infoLight, .infoDark: "info.circle"
        case .contactAdd: "plus"
        case .close: "xmark"
        case .custom, .system, .plain: nil
        }
    }
}
