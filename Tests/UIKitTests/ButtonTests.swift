// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct ButtonTests {
    let listener = Listener()

    private func button(_ view: UIView) throws -> SceneButton {
        guard case .button(let button) = try ShownView(view).kind() else { throw CocoaError(.coderInvalidValue) }
        return button
    }

    private func picture(_ width: UInt8, _ height: UInt8) throws -> UIImage {
        try #require(UIImage(data: png(width, height)))
    }

    // MARK: Nodes

    @Test("A system button is drawn in a font of 15 points and the page's accent")
    func system() throws {
        let button = UIButton(type: .system)
        button.setTitle("Launch", for: .normal)
        let node = try ShownView(button).drawn()
        let size = button.intrinsicContentSize
        #expect(
            node
                == SceneNode(
                    id: node.id,
                    up: 1,
                    .button(SceneButton(title: "Launch", font: SceneFont(size: 15))),
                    frame: SceneFrame(0, 0, Double(size.width), Double(size.height))
                )
        )
        #expect(size.height == 31)
    }

    @Test("A custom button is drawn in a font of 18 points and white")
    func custom() throws {
        let made = UIButton(frame: CGRect(x: 0, y: 0, width: 80, height: 40))
        made.setTitle("Go", for: .normal)
        #expect(made.buttonType == .custom)
        #expect(try button(made) == SceneButton(title: "Go", font: SceneFont(size: 18), color: SceneColor(0xFFFF_FFFF)))
        #expect(made.intrinsicContentSize.height == 34)
    }

    @Test("Title, colour and picture of a state are drawn in it, and those of the normal one elsewhere")
    func states() throws {
        let made = UIButton(type: .system)
        made.setTitle("Off", for: .normal)
        made.setTitle("On", for: .selected)
        made.setTitleColor(.red, for: .selected)
        made.setImage(UIImage(systemName: "star"), for: .normal)
        made.setImage(UIImage(systemName: "star.fill"), for: .selected)
        let shown = ShownView(made)
        let font = SceneFont(size: 15)
        #expect(try shown.kind() == .button(SceneButton(title: "Off", symbol: "star", font: font)))
        made.isSelected = true
        #expect(
            try shown.kind()
                == .button(SceneButton(title: "On", symbol: "star.fill", font: font, color: SceneColor(0xFF00_00FF)))
        )
        made.isHighlighted = true
        #expect((made.currentTitle, made.title(for: .selected), made.title(for: .disabled)) == ("Off", "On", "Off"))
        #expect(made.titleColor(for: .selected) == .red)
        #expect(made.currentTitleColor == made.tintColor)
        #expect(made.image(for: .selected) == UIImage(systemName: "star.fill"))
    }

    @Test("The title label says the font, and shows the title")
    func label() throws {
        let made = UIButton(type: .system)
        made.setTitle("A", for: .normal)
        made.titleLabel?.font = .boldSystemFont(ofSize: 20)
        let shown = ShownView(made)
        #expect(try shown.kind() == .button(SceneButton(title: "A", font: SceneFont(size: 20, weight: 700))))
        #expect(made.titleLabel?.text == "A")
        #expect(made.titleLabel?.superview === made)
        #expect(made.subviews.isEmpty)
        made.titleLabel?.font = .systemFont(ofSize: 30)
        #expect(try shown.kind() == .button(SceneButton(title: "A", font: SceneFont(size: 30))))
        made.setTitle("B", for: .normal)
        #expect(made.titleLabel?.text == "B")
    }

    @Test("An attributed title is drawn in the font and colour of its first letter")
    func attributed() throws {
        let made = UIButton(type: .system)
        let text = NSMutableAttributedString(
            string: "Red",
            attributes: [.font: UIFont.systemFont(ofSize: 21), .foregroundColor: UIColor.red]
        )
        text.append(NSAttributedString(string: " not"))
        made.setAttributedTitle(text, for: .normal)
        #expect(
            try button(made)
                == SceneButton(title: "Red not", font: SceneFont(size: 21), color: SceneColor(0xFF00_00FF))
        )
        #expect(made.currentAttributedTitle == text)
    }

    @Test("The tint that is given to a view around a button is its colour")
    func tint() throws {
        let made = UIButton(type: .system)
        made.setTitle("T", for: .normal)
        let shown = ShownView(made)
        shown.root.tintColor = .green
        #expect(
            try shown.kind()
                == .button(SceneButton(title: "T", font: SceneFont(size: 15), color: SceneColor(0x00FF_00FF)))
        )
    }

    @Test("A picture without a title has its own height, of which the page draws 1.2 em")
    func pictures() throws {
        let made = UIButton(type: .custom)
        made.setImage(try picture(24, 36), for: .normal)
        #expect(try button(made) == SceneButton(title: "", source: 7, font: SceneFont(size: 30)))
        #expect(made.intrinsicContentSize == CGSize(width: 24, height: 36))
        made.contentEdgeInsets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(made.intrinsicContentSize == CGSize(width: 30, height: 40))
        #expect(made.imageView?.image === made.currentImage)
    }

    @Test("A picture behind a title is drawn where there is no title, as high as it has room")
    func background() throws {
        let made = UIButton(frame: CGRect(x: 0, y: 0, width: 60, height: 100))
        made.setBackgroundImage(try picture(30, 12), for: .normal)
        #expect(
            try button(made)
                == SceneButton(title: "", source: 7, font: SceneFont(size: 20), color: SceneColor(0xFFFF_FFFF))
        )
        made.setTitle("T", for: .normal)
        #expect(try button(made).source == nil)
        made.frame = .zero
        made.setTitle(nil, for: .normal)
        _ = try button(made)
    }

    @Test(
        "Types with a sign of their own have a symbol",
        arguments: [
            (UIButton.ButtonType.detailDisclosure, "info.circle"), (.infoLight, "info.circle"), (.contactAdd, "plus"),
            (.close, "xmark"),
        ]
    )
    func types(type: UIButton.ButtonType, symbol: String) throws {
        let made = UIButton(type: type)
        #expect(try button(made).symbol == symbol)
        #expect(made.intrinsicContentSize == CGSize(width: 22, height: 22))
    }

    @Test("A disabled button, and one below a view without events, is drawn so")
    func dead() throws {
        let made = UIButton(type: .system)
        made.isEnabled = false
        #expect(try button(made).isDisabled)
        made.isEnabled = true
        let shown = ShownView(made)
        shown.root.isUserInteractionEnabled = false
        guard case .button(let button) = try shown.kind() else { throw CocoaError(.coderInvalidValue) }
        #expect(button.isDisabled)
    }

    @Test("A title of 10 KB is cut to 400 bytes")
    func long() throws {
        let made = UIButton(type: .system)
        made.setTitle(String(repeating: "ä", count: 5_000), for: .normal)
        #expect(try button(made).title == String(repeating: "ä", count: 198) + "…")
    }

    @Test("A title has no characters that control a terminal")
    func controlCharacters() throws {
        let made = UIButton(type: .system)
        made.setTitle("a\u{1B}[2Jb\r\nc", for: .normal)
        #expect(try button(made).title == "a[2Jb\nc")
    }

    @Test("Insets that are no numbers break no scene")
    func insets() throws {
        let made = UIButton(type: .system)
        made.contentEdgeInsets = UIEdgeInsets(top: .nan, left: .infinity, bottom: -.infinity, right: 1e300)
        made.contentEdgeInsets.bottom = 4
        #expect(made.intrinsicContentSize == CGSize(width: 100_000, height: 0))
        _ = try button(made)
        made.titleLabel?.font = .systemFont(ofSize: .infinity)
        #expect(try button(made).font?.size == 512)
    }

    // MARK: Configurations

    @Test("A filled configuration is white on the tint, with corners")
    func filled() throws {
        var configuration = UIButton.Configuration.filled()
        configuration.title = "Reply"
        let made = UIButton(configuration: configuration)
        let node = try ShownView(made).drawn()
        #expect(
            node.kind
                == .button(SceneButton(title: "Reply", font: SceneFont(size: 17), color: SceneColor(0xFFFF_FFFF)))
        )
        #expect(node.style == SceneStyle(background: SceneColor(0x007A_FFFF, dark: 0x0A84_FFFF), radius: 5.95))
        #expect(made.intrinsicContentSize.height == 35)
        #expect(made.currentTitle == "Reply")
    }

    @Test("Colours, corners and borders of a configuration are those of the node")
    func look() throws {
        var configuration = UIButton.Configuration.tinted()
        configuration.baseForegroundColor = .red
        configuration.baseBackgroundColor = .blue
        configuration.cornerStyle = .capsule
        configuration.background.strokeColor = .black
        configuration.background.strokeWidth = 2
        let made = UIButton(configuration: configuration)
        made.frame = CGRect(x: 0, y: 0, width: 100, height: 44)
        let style = try ShownView(made).drawn().style
        #expect(
            style
                == SceneStyle(
                    background: SceneColor(0x0000_FF2E),
                    radius: 22,
                    border: SceneStyle.Border(width: 2, color: SceneColor(0x0000_00FF))
                )
        )
        configuration.background.backgroundColor = .green
        made.configuration = configuration
        #expect(try ShownView(made).drawn().style.background == SceneColor(0x00FF_00FF))
    }

    @Test("The four styles and their other names have their backgrounds")
    func styles() throws {
        let (gray, faint) = (SceneColor(0x7878_8029, dark: 0x7878_8052), SceneColor(0x007A_FF2E, dark: 0x0A84_FF2E))
        let tint = SceneColor(0x007A_FFFF, dark: 0x0A84_FFFF)
        let styles: [(UIButton.Configuration, SceneColor?)] = [
            (.plain(), nil), (.borderless(), nil), (.gray(), gray), (.bordered(), gray), (.tinted(), faint),
            (.borderedTinted(), faint), (.filled(), tint), (.borderedProminent(), tint),
        ]
        for (configuration, background) in styles {
            #expect(try ShownView(UIButton(configuration: configuration)).drawn().style.background == background)
        }
    }

    @Test("A configuration's title, subtitle and picture are drawn in one node")
    func parts() throws {
        var configuration = UIButton.Configuration.plain()
        (configuration.title, configuration.subtitle) = ("Title", "Subtitle")
        configuration.image = UIImage(systemName: "bell.fill")
        configuration.imagePadding = 5
        let made = UIButton(configuration: configuration)
        #expect(
            try button(made) == SceneButton(title: "Title\nSubtitle", symbol: "bell.fill", font: SceneFont(size: 17))
        )
        let beside = made.intrinsicContentSize
        configuration.imagePlacement = .top
        made.configuration = configuration
        let above = made.intrinsicContentSize
        #expect((beside.width - above.width, above.height - beside.height) == (25, 25))
    }

    @Test("An attributed title and a transformer change font and colour")
    func transformer() throws {
        var configuration = UIButton.Configuration.plain()
        var title = AttributedString("Big")
        title.font = .systemFont(ofSize: 30)
        title.foregroundColor = .red
        configuration.attributedTitle = title
        let made = UIButton(configuration: configuration)
        #expect(
            try button(made) == SceneButton(title: "Big", font: SceneFont(size: 30), color: SceneColor(0xFF00_00FF))
        )
        configuration.titleTextAttributesTransformer = UIConfigurationTextAttributesTransformer { incoming in
            var outgoing = incoming
            outgoing.font = .boldSystemFont(ofSize: 12)
            return outgoing
        }
        made.configuration = configuration
        #expect(try button(made).font == SceneFont(size: 12, weight: 700))
    }

    @Test(
        "Sizes have their fonts and insets",
        arguments: [
            (UIButton.Configuration.Size.mini, 15.0, 25.0), (.small, 15, 29), (.medium, 17, 35), (.large, 17, 51),
        ]
    )
    func sizes(size: UIButton.Configuration.Size, font: Double, height: CGFloat) throws {
        var configuration = UIButton.Configuration.gray()
        (configuration.title, configuration.buttonSize) = ("Size", size)
        let made = UIButton(configuration: configuration)
        #expect(made.intrinsicContentSize.height == height)
        #expect(try button(made).font == SceneFont(size: font))
        configuration.contentInsets = .zero
        made.configuration = configuration
        #expect(made.intrinsicContentSize.height == height - size.insets.top - size.insets.bottom)
    }

    @Test("Setters of a title and a picture change a configuration")
    func setters() throws {
        let made = UIButton(configuration: .filled())
        made.setTitle("New", for: .normal)
        made.setImage(UIImage(systemName: "plus"), for: .normal)
        made.setTitle("Chosen", for: .selected)
        #expect((made.configuration?.title, made.configuration?.image) == ("New", UIImage(systemName: "plus")))
        #expect(try button(made).title == "New")
        made.isSelected = true
        #expect(try button(made).title == "Chosen")
    }

    @Test("A title of the normal state counts where a configuration has none")
    func storyboard() throws {
        let made = UIButton(type: .system)
        made.setTitle("Button", for: .normal)
        made.setImage(UIImage(systemName: "plus"), for: .normal)
        made.configuration = .plain()
        #expect(try button(made) == SceneButton(title: "Button", symbol: "plus", font: SceneFont(size: 17)))
        #expect(made.currentTitle == "Button")
        made.configuration?.title = "Launch"
        made.configuration?.image = UIImage(systemName: "bolt")
        #expect(try button(made) == SceneButton(title: "Launch", symbol: "bolt", font: SceneFont(size: 17)))
        #expect((made.currentTitle, made.currentImage) == ("Launch", UIImage(systemName: "bolt")))
    }

    @Test("The handler is called before the next layout when the state has changed")
    func handler() throws {
        let made = UIButton(configuration: .plain())
        var states: [UIControl.State] = []
        made.configurationUpdateHandler = { button in
            states.append(button.state)
            button.configuration?.title = button.isHighlighted ? "Pressed" : "Free"
        }
        #expect(states.isEmpty)
        let shown = ShownView(made)
        #expect(try shown.kind() == .button(SceneButton(title: "Free", font: SceneFont(size: 17))))
        try shown.hear(.press)
        #expect(try shown.kind() == .button(SceneButton(title: "Pressed", font: SceneFont(size: 17))))
        try shown.hear(.release)
        #expect(try shown.kind() == .button(SceneButton(title: "Free", font: SceneFont(size: 17))))
        #expect(states == [.normal, .highlighted, .normal])
    }

    @Test("A disabled configuration loses its colour")
    func disabled() throws {
        let made = UIButton(configuration: .filled())
        made.isEnabled = false
        let node = try ShownView(made).drawn()
        #expect(node.style.background == UIColor.tertiarySystemFill.sceneColor)
        guard case .button(let button) = node.kind else { throw CocoaError(.coderInvalidValue) }
        #expect((button.color, button.isDisabled) == (UIColor.secondaryLabel.sceneColor, true))
    }

    @Test("A button that takes something away is red")
    func destructive() throws {
        let made = UIButton(configuration: .plain())
        made.role = .destructive
        #expect(try button(made).color == UIColor.systemRed.sceneColor)
    }

    // MARK: Actions

    @Test("A click calls the primary action, whose title and picture the button has")
    func primary() throws {
        var count = 0
        let action = UIAction(title: "Do", image: UIImage(systemName: "bolt")) { _ in count += 1 }
        let made = UIButton(primaryAction: action)
        let shown = ShownView(made)
        #expect(try shown.kind() == .button(SceneButton(title: "Do", symbol: "bolt", font: SceneFont(size: 15))))
        try shown.click()
        #expect(count == 1)
        made.performPrimaryAction()
        #expect(count == 2)
        let configured = UIButton(configuration: .filled(), primaryAction: action)
        #expect(configured.configuration?.title == "Do")
        try ShownView(configured).click()
        #expect(count == 3)
    }

    @Test("A click changes a selection where that is its action, before its targets are called")
    func selection() throws {
        let made = UIButton(type: .system)
        made.changesSelectionAsPrimaryAction = true
        var seen: [Bool] = []
        made.addAction(UIAction { _ in seen.append(made.isSelected) }, for: .primaryActionTriggered)
        let shown = ShownView(made)
        try shown.click()
        try shown.click()
        #expect(seen == [true, false])
    }

    @Test("A storyboard's button has its type before it is told anything else")
    func coder() throws {
        let made = NibCoder.view(UIButton.self, values: ["UIButtonType": UIButton.ButtonType.system.rawValue]) { view in
            view.setTitle("From a file", for: .normal)
            view.titleLabel?.lineBreakMode = .byWordWrapping
        }
        #expect(made.buttonType == .system)
        #expect(made.titleLabel?.font == .systemFont(ofSize: 15))
        #expect(try button(made) == SceneButton(title: "From a file", font: SceneFont(size: 15)))
    }

    @Test("Texts with attributes go to AttributedString and back")
    func conversion() {
        let text = NSMutableAttributedString(string: "plain ")
        text.append(
            NSAttributedString(
                string: "big",
                attributes: [.font: UIFont.systemFont(ofSize: 9), .underlineStyle: NSUnderlineStyle.single.rawValue]
            )
        )
        let other = AttributedString(text)
        #expect(String(other.characters) == "plain big")
        #expect(other.runs.map { $0.font?.pointSize } == [nil, 9])
        #expect(NSAttributedString(other) == text)
    }
}
