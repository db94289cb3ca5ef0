// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Colours, fonts, images and texts in all forms that Xcode writes.
@Suite struct StoryboardValueTests {
    private static func statements(_ element: String, resources: String = "") throws -> [String] {
        let output = try GeneratedSource(StoryboardText.storyboard(views: element, resources: resources))
        #expect(output.troubles == [])
        return output.statements(of: "label1").filter { $0 != "view.isUserInteractionEnabled = true" }
    }

    @Test(
        "a colour is written in many ways",
        arguments: [
            (
                "red=\"0.45882353186607361\" green=\"1\" blue=\"0.0\" alpha=\"0.5\" colorSpace=\"custom\" "
                    + "customColorSpace=\"sRGB\"",
                "UIColor(red: 0.458824, green: 1, blue: 0, alpha: 0.5)"
            ),
            (
                "red=\"1\" green=\"0.0\" blue=\"0.0\" alpha=\"1\" colorSpace=\"calibratedRGB\"",
                "UIColor(red: 1, green: 0, blue: 0, alpha: 1)"
            ),
            (
                "red=\"1\" green=\"0.0\" blue=\"0.0\" alpha=\"1\" colorSpace=\"custom\" customColorSpace=\"displayP3\"",
                "UIColor(displayP3Red: 1, green: 0, blue: 0, alpha: 1)"
            ),
            (
                "white=\"0.66666666666666663\" alpha=\"1\" colorSpace=\"custom\" "
                    + "customColorSpace=\"genericGamma22GrayColorSpace\"",
                "UIColor(white: 0.666667, alpha: 1)"
            ),
            (
                "cyan=\"1\" magenta=\"0.5\" yellow=\"0.0\" black=\"0.5\" alpha=\"1\" colorSpace=\"deviceCMYK\"",
                "UIColor(red: 0, green: 0.25, blue: 0.5, alpha: 1)"
            ),
            ("systemColor=\"secondaryLabelColor\"", "UIColor.secondaryLabel"),
            ("cocoaTouchSystemColor=\"darkTextColor\"", "UIColor.darkText"),
            ("xcode11CocoaTouchSystemColor=\"linkColor\" cocoaTouchSystemColor=\"whiteColor\"", "UIColor.link"),
            ("cocoaTouchSystemColor=\"groupTableViewBackgroundColor\"", "UIColor.systemGroupedBackground"),
            ("systemColor=\"newColor\"", "UIColor(white: 0.25, alpha: 1)"),
            ("name=\"Accent\"", "UIColor(named: \"Accent\") ?? UIColor(red: 0.5, green: 0, blue: 1, alpha: 1)"),
            ("name=\"Gone\"", "UIColor(named: \"Gone\") ?? UIColor.clear"),
        ]
    )
    func colors(attributes: String, swift: String) throws {
        let element = "<label id=\"v\"><color key=\"textColor\" \(attributes)/></label>"
        let resources = """
            <namedColor name="Accent"><color red="0.5" green="0.0" blue="1" alpha="1" colorSpace="custom"
            customColorSpace="sRGB"/></namedColor>
            <systemColor name="newColor"><color white="0.25" alpha="1"/></systemColor>
            """
        #expect(try Self.statements(element, resources: resources) == ["view.textColor = \(swift)"])
    }

    @Test(
        "a font is written in many ways",
        arguments: [
            ("type=\"system\" pointSize=\"17\"", "UIFont.systemFont(ofSize: 17)"),
            (
                "type=\"system\" weight=\"medium\" pointSize=\"12.5\"",
                "UIFont.systemFont(ofSize: 12.5, weight: .medium)"
            ),
            ("type=\"boldSystem\" pointSize=\"17\"", "UIFont.boldSystemFont(ofSize: 17)"),
            ("type=\"italicSystem\" pointSize=\"17\"", "UIFont.italicSystemFont(ofSize: 17)"),
            ("style=\"UICTFontTextStyleTitle0\"", "UIFont.preferredFont(forTextStyle: .largeTitle)"),
            ("style=\"UICTFontTextStyleSubhead\"", "UIFont.preferredFont(forTextStyle: .subheadline)"),
            (
                "name=\"Avenir-Book\" family=\"Avenir\" pointSize=\"14\"",
                "UIFont(name: \"Avenir-Book\", size: 14) ?? UIFont.systemFont(ofSize: 14)"
            ),
        ]
    )
    func fonts(attributes: String, swift: String) throws {
        let element = "<label id=\"v\"><fontDescription key=\"fontDescription\" \(attributes)/></label>"
        #expect(try Self.statements(element) == ["view.font = \(swift)"])
    }

    @Test(
        "an image is a file or a symbol",
        arguments: [
            ("<imageView image=\"logo\" id=\"v\"/>", "UIImage(named: \"logo\")"),
            ("<imageView image=\"star\" catalog=\"system\" id=\"v\"/>", "UIImage(systemName: \"star\")"),
            (
                "<imageView id=\"v\"><imageReference key=\"image\" image=\"bell\" catalog=\"system\"/></imageView>",
                "UIImage(systemName: \"bell\")"
            ),
        ]
    )
    func images(element: String, swift: String) throws {
        let output = try GeneratedSource(StoryboardText.storyboard(views: element))
        #expect(output.statements(of: "imageView1").last == "view.image = \(swift)")
    }

    @Test(
        "a symbol's configuration says size, weight, scale or font",
        arguments: [
            ("pointSize=\"40\"", "pointSize: 40, weight: .regular, scale: .default"),
            ("weight=\"thin\"", "weight: .thin"),
            ("scale=\"small\"", "scale: .small"),
        ]
    )
    func symbols(attributes: String, swift: String) throws {
        let element = """
            <imageView id="v">
            <preferredSymbolConfiguration key="preferredSymbolConfiguration" \(attributes)/></imageView>
            """
        let output = try GeneratedSource(StoryboardText.storyboard(views: element))
        #expect(
            output.statements(of: "imageView1").last
                == "view.preferredSymbolConfiguration = UIImage.SymbolConfiguration(\(swift))"
        )
    }

    @Test("a text of fragments has attributes of each")
    func attributedText() throws {
        let element = """
            <label userInteractionEnabled="NO" usesAttributedText="YES" id="v"><attributedString key="attributedText">
            <fragment content="Bold "><attributes><color key="NSColor" white="0" alpha="1"/>
            <font key="NSFont" size="17" name="Helvetica-Bold"/>
            <paragraphStyle key="NSParagraphStyle" alignment="center" lineBreakMode="wordWrapping"
                baseWritingDirection="natural" lineSpacing="2" paragraphSpacing="3" paragraphSpacingBefore="4"
                firstLineHeadIndent="5" headIndent="6" tailIndent="7" lineHeightMultiple="1.5" minimumLineHeight="8"
                maximumLineHeight="9" tighteningFactorForTruncation="0.0"><tabStops/></paragraphStyle>
            <integer key="NSUnderline" value="1"/><integer key="NSStrikethrough" value="2"/>
            <real key="NSKern" value="1.5"/><real key="NSBaselineOffset" value="-1"/>
            <color key="NSBackgroundColor" white="1" alpha="1"/><color key="NSUnderlineColor" white="1" alpha="1"/>
            <color key="NSStrikethroughColor" white="1" alpha="1"/>
            <url key="NSLink" string="https://example.com"/></attributes></fragment>
            <fragment><string key="content">two
            lines</string><attributes><font key="NSFont" metaFont="system" size="12"/></attributes></fragment>
            </attributedString></label>
            """
        #expect(
            try Self.statements(element) == [
                "view.isUserInteractionEnabled = false",
                "do {", "let text = NSMutableAttributedString(string: \"\")",
                "let style1 = NSMutableParagraphStyle()", "style1.alignment = .center",
                "style1.lineBreakMode = .byWordWrapping", "style1.baseWritingDirection = .natural",
                "style1.lineSpacing = 2", "style1.paragraphSpacing = 3", "style1.paragraphSpacingBefore = 4",
                "style1.firstLineHeadIndent = 5", "style1.headIndent = 6", "style1.tailIndent = 7",
                "style1.lineHeightMultiple = 1.5", "style1.minimumLineHeight = 8", "style1.maximumLineHeight = 9",
                "text.append(NSAttributedString(string: \"Bold \", attributes: [.foregroundColor: UIColor(white: 0, "
                    + "alpha: 1), .font: UIFont(name: \"Helvetica-Bold\", size: 17) ?? UIFont.systemFont(ofSize: 17), "
                    + ".paragraphStyle: style1, .underlineStyle: Int(1), .strikethroughStyle: Int(2), "
                    + ".kern: CGFloat(1.5), .baselineOffset: CGFloat(-1), .backgroundColor: UIColor(white: 1, alpha: "
                    + "1), .underlineColor: UIColor(white: 1, alpha: 1), .strikethroughColor: UIColor(white: 1, "
                    + "alpha: 1), .link: \"https://example.com\"]))",
                "text.append(NSAttributedString(string: \"two\\nlines\", attributes: [.font: "
                    + "UIFont.systemFont(ofSize: 12)]))",
                "view.attributedText = text", "}",
            ]
        )
    }

    @Test("a text with signs that XML loses is encoded", arguments: [("YSDigKggYg", "a \\u{2028} b"), ("YQ==", "a")])
    func encodedText(digits: String, text: String) throws {
        let element = "<label id=\"v\"><string key=\"text\" base64-UTF8=\"YES\">\(digits)</string></label>"
        #expect(try Self.statements(element) == ["view.text = \"\(text)\""])
    }

    @Test("texts are looked up by the object's id where there is a table")
    func localization() throws {
        let elements = """
            <label text="Hello" id="a-1"/><button id="b-2"><state key="normal" title="Go"/></button>
            <textField placeholder="Name" id="c-3"/>
            <segmentedControl id="d-4"><segments><segment title="First"/></segments></segmentedControl>
            <view id="e-5"><accessibility key="accessibilityConfiguration" label="L"/></view>
            """
        let output = try GeneratedSource(
            StoryboardText.storyboard(views: elements),
            options: InterfaceOptions(localizedTable: "Main")
        )
        func lookUp(_ key: String, _ text: String) -> String {
            "InterfaceLanguages.text(\"\(key)\", table: \"Main\", value: \"\(text)\")"
        }
        #expect(output.statements(of: "label1").last == "view.text = \(lookUp("a-1.text", "Hello"))")
        #expect(
            output.statements(of: "button1").last
                == "view.setTitle(\(lookUp("b-2.normalTitle", "Go")), for: .normal)"
        )
        #expect(output.statements(of: "textField1").last == "view.placeholder = \(lookUp("c-3.placeholder", "Name"))")
        #expect(
            output.statements(of: "segmentedControl1").last
                == "view.insertSegment(withTitle: \(lookUp("d-4.segmentTitles[0]", "First")), at: 0, animated: false)"
        )
        #expect(
            output.statements(of: "view1").last == "view.accessibilityLabel = \(lookUp("e-5.accessibilityLabel", "L"))"
        )
    }
}
