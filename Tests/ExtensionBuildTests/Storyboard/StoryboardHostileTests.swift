// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Files that are no storyboards, are beyond the bounds, or hold texts that want to be code.
@Suite struct StoryboardHostileTests {
    private static func error(_ text: String) -> CommandError? {
        do {
            _ = try Storyboard(path: "Main.storyboard", contents: Data(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a file that is no storyboard is refused with its line",
        arguments: [
            ("", "Main.storyboard:1: neither a storyboard nor a xib: no element begins so"),
            ("text", "Main.storyboard:1: neither a storyboard nor a xib: no element begins so"),
            ("<a>\n<b>\n</a>", "Main.storyboard:3: neither a storyboard nor a xib: </b> is missing"),
            ("<a>\n", "Main.storyboard:2: neither a storyboard nor a xib: </a> is missing"),
            ("</a>", "Main.storyboard:1: neither a storyboard nor a xib: nothing begins that </a> could end"),
            ("<a/>\n<b/>", "Main.storyboard:2: neither a storyboard nor a xib: something follows its end"),
            (
                "<a>x<b/></a>",
                "Main.storyboard:1: neither a storyboard nor a xib: a text stands between the elements of <a>"
            ),
            (
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>\n<a>&b;</a>",
                "Main.storyboard:1: neither a storyboard nor a xib: it has a document type of its own"
            ),
            (
                "<a>&passwd;</a>",
                "Main.storyboard:1: neither a storyboard nor a xib: \"&\" begins no known character"
            ),
            (
                "<a/>",
                "Main.storyboard:1: neither a storyboard nor a xib of an iOS project in the format 3.0"
            ),
            (
                "<document type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\" version=\"3.0\"/>",
                "Main.storyboard:1: neither a storyboard nor a xib of an iOS project in the format 3.0"
            ),
            (
                "<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\" version=\"2.0\"/>",
                "Main.storyboard:1: a file of the format \"2.0\", 3.0 is read"
            ),
        ]
    )
    func noStoryboard(text: String, message: String) {
        #expect(Self.error(text)?.message == message)
    }

    @Test("depth, number and bytes have bounds")
    func bounds() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        let head = "Main.storyboard:1: neither a storyboard nor a xib"
        #expect(
            Self.error(nested(InterfaceElement.depthLimit))?.message == "\(head) of an iOS project in the format 3.0"
        )
        #expect(
            Self.error(nested(InterfaceElement.depthLimit + 1))?.message
                == "\(head): its elements are nested deeper than 64"
        )
        let many = { (count: Int) in "<a>" + String(repeating: "<b/>", count: count) + "</a>" }
        #expect(
            Self.error(many(InterfaceElement.countLimit - 1))?.message == "\(head) of an iOS project in the format 3.0"
        )
        #expect(
            Self.error(many(InterfaceElement.countLimit))?.message == "\(head): it has more than 20000 elements"
        )
        let long = "<a>" + String(repeating: " ", count: InterfaceElement.fileByteCountLimit - 6) + "</a>"
        #expect(
            Self.error(long)?.message
                == "Main.storyboard: neither a storyboard nor a xib: it has 4194305 bytes, at most 4194304 are possible"
        )
    }

    @Test(
        "a text becomes a text, whatever it holds",
        arguments: [
            ("\\(fatalError())", "\\\\(fatalError())"), ("\"; exit(1); \"", "\\\"; exit(1); \\\""),
            ("\\u{22}", "\\\\u{22}"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("*/ \"\"\" #", "*/ \\\"\\\"\\\" #"),
            ("\u{202E}abc", "\\u{202e}abc"), ("\u{0}", "\\u{0}"), ("\u{301}\"", "\\u{301}\\\""),
            ("\u{2028}", "\\u{2028}"), ("żółć 🙂", "żółć 🙂"),
        ]
    )
    func literals(text: String, literal: String) {
        #expect(SwiftText.literal(text) == "\"\(literal)\"")
    }

    @Test("no attribute of a file gets into the source unescaped")
    func injection() throws {
        let evil = "&quot;); evil(&quot;x&quot;) //\\(evil)&#10;}"
        let element = { (name: String, attributes: String, body: String) in
            "<\(name) \(attributes) id=\"v\">\(body)</\(name)>"
        }
        let attributes = { (names: [String]) in names.map { "\($0)=\"\(evil)\"" }.joined(separator: " ") }
        let views = [
            element("view", attributes(["contentMode", "alpha", "hidden", "tag", "customClass", "key"]), ""),
            element(
                "label",
                attributes(["text", "numberOfLines"]),
                """
                <rect key="frame" x="\(evil)" y="0" width="0" height="0"/>
                <fontDescription key="fontDescription" name="\(evil)" pointSize="\(evil)"/>
                <color key="textColor" name="\(evil)"/><color key="shadowColor" systemColor="\(evil)"/>
                """
            ),
            element("button", attributes(["buttonType"]), "<state key=\"\(evil)\" title=\"\(evil)\"/>"),
            element("imageView", attributes(["image", "catalog"]), ""),
            element("datePicker", "", "<locale key=\"locale\" localeIdentifier=\"\(evil)\"/>"),
            element(
                "textField",
                attributes(["text"]),
                "<textInputTraits key=\"textInputTraits\" textContentType=\"\(evil)\"/>"
            ),
            element(
                "label",
                "",
                """
                <connections><outlet property="\(evil)" destination="\(evil)" id="o"/>
                <action selector="\(evil)" destination="\(evil)" eventType="\(evil)" id="a"/></connections>
                <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="\(evil)" value="x"/>
                </userDefinedRuntimeAttributes>
                """
            ),
        ]
        for view in views {
            let text = StoryboardText.storyboard(
                views: view,
                root: """
                    <constraints><constraint firstItem="v" firstAttribute="width" constant="\(evil)"
                    multiplier="\(evil)" priority="\(evil)" identifier="\(evil)" id="k"/></constraints>
                    """
            )
            let output = try GeneratedSource(text, path: "Ma\"in\n\\(x).storyboard")
            var scanner = SwiftScanner(Array(output.source.utf8))
            var code: [UInt8] = []
            while let position = scanner.nextCode() { code.append(scanner.bytes[position]) }
            #expect(!String(decoding: code, as: UTF8.self).contains("evil"))
            #expect(output.lines.contains("enum Ma_in___x__storyboard {"))
            #expect(output.troubles.allSatisfy { !$0.contains("\n") })
        }
    }

    @Test("an unknown element and attribute is a warning with line and id, and the rest becomes Swift")
    func unknown() throws {
        let output = try GeneratedSource(
            StoryboardText.storyboard(
                views: """
                    <glowView id="m"><rect key="frame" x="0" y="0" width="1" height="1"/></glowView>
                    <label glow="7" id="l"><halo key="ring"/></label>
                    """,
                controller: "<glow key=\"glowItem\" id=\"n\"/>",
                objects: "<pinchGestureRecognizer id=\"p\"/>"
            )
        )
        #expect(
            output.troubles == [
                "Main.storyboard:5: warning: <glowView> is not known here and is left out, in <glowView> with the id "
                    + "\"m\"",
                "Main.storyboard:9: warning: <pinchGestureRecognizer> is not known here and is left out, "
                    + "in <pinchGestureRecognizer> with the id \"p\"",
                "Main.storyboard:6: warning: the attribute glow=\"7\" is not known here, in <label> with the id \"l\"",
                "Main.storyboard:6: warning: the element <halo key=\"ring\"> is not known here, in <halo>",
                "Main.storyboard:7: warning: the element <glow key=\"glowItem\"> is not known here, "
                    + "in <glow> with the id \"n\"",
            ]
        )
        #expect(output.lines.contains("let label1 = NibCoder.view(UILabel.self) { view in"))
    }

    @Test(
        "a value that cannot be read is a warning, and is left out",
        arguments: [
            ("alpha=\"nan\"", "alpha is \"nan\", which is no number"),
            ("alpha=\"1e999\"", "alpha is \"1e999\", which is no number"),
            ("tag=\"1.5\"", "tag is \"1.5\", which is no whole number"),
            ("hidden=\"yes\"", "hidden is \"yes\", which is no truth value"),
            ("contentMode=\"sideways\"", "contentMode is \"sideways\", which is no value that is known here"),
        ]
    )
    func values(attribute: String, message: String) throws {
        let output = try GeneratedSource(StoryboardText.storyboard(views: "<view \(attribute) id=\"v\"/>"))
        #expect(output.troubles == ["Main.storyboard:5: warning: \(message), in <view> with the id \"v\""])
        #expect(output.statements(of: "view1") == [])
    }

    @Test(
        "a colour, a font, a size or a state that is not known is a warning",
        arguments: [
            (
                "<color key=\"textColor\" systemColor=\"oddColor\"/>",
                "there is no system colour \"oddColor\", in <color>"
            ),
            ("<color key=\"textColor\" hue=\"1\"/>", "the colour has no parts that are known here, in <color>"),
            (
                "<fontDescription key=\"fontDescription\" style=\"Odd\"/>",
                "there is no text style \"Odd\", in <fontDescription>"
            ),
            (
                "<fontDescription key=\"fontDescription\" type=\"odd\" pointSize=\"9\"/>",
                "there is no kind of font \"odd\", in <fontDescription>"
            ),
            (
                "<fontDescription key=\"fontDescription\" type=\"system\" weight=\"odd\" pointSize=\"9\"/>",
                "there is no font weight \"odd\", in <fontDescription>"
            ),
            ("<rect key=\"frame\" x=\"0\" y=\"0\" width=\"1\"/>", "\"height\" is no number, in <rect>"),
            ("<string key=\"text\" base64-UTF8=\"YES\">/w</string>", "the text is no base64 of UTF-8, in <string>"),
            (
                "<attributedString key=\"attributedText\"><fragment content=\"a\"><attributes>"
                    + "<integer key=\"NSOdd\"/></attributes></fragment></attributedString>",
                "the text attribute \"NSOdd\" is not known here, in <integer>"
            ),
        ]
    )
    func parts(child: String, message: String) throws {
        let output = try GeneratedSource(StoryboardText.storyboard(views: "<label id=\"v\">\(child)</label>"))
        #expect(output.troubles.first == "Main.storyboard:5: warning: \(message)")
    }

    @Test("two objects of one id, a missing initial controller, and other scenes are named")
    func scenes() throws {
        let doubled = try GeneratedSource(StoryboardText.storyboard(views: "<view id=\"v\"/><view id=\"v\"/>"))
        #expect(
            doubled.troubles == ["Main.storyboard:5: error: two objects have the id \"v\""]
        )
        let head = "<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\" version=\"3.0\""
        let none = try GeneratedSource("\(head)><scenes/></document>")
        #expect(
            none.troubles == [
                "Main.storyboard:1: error: no view controller is the initial one: set it in Xcode's attributes "
                    + "inspector, in <document>"
            ]
        )
        let absent = try GeneratedSource(
            "\(head) initialViewController=\"x\"><scenes><scene sceneID=\"1\"><objects/></scene></scenes></document>"
        )
        #expect(
            absent.troubles == [
                "Main.storyboard:1: warning: the scene is not the initial view controller's, and is left out, "
                    + "in <scene>",
                "Main.storyboard:1: error: the initial view controller \"x\" is not there, in <document>",
            ]
        )
        let table = try GeneratedSource(
            "\(head) initialViewController=\"x\"><scenes><scene sceneID=\"1\"><objects><tableViewController id=\"x\"/>"
                + "</objects></scene></scenes></document>"
        )
        #expect(
            table.troubles == [
                "Main.storyboard:1: error: a <tableViewController> cannot be shown: a view controller is, "
                    + "in <tableViewController> with the id \"x\""
            ]
        )
        let segue = try GeneratedSource(
            StoryboardText.storyboard(
                controller: "<connections><segue destination=\"y\" kind=\"show\" id=\"z\"/></connections>"
            )
        )
        #expect(
            segue.troubles == [
                "Main.storyboard:6: warning: <segue> is not known here and is left out, in <segue> with the id \"z\""
            ]
        )
    }

    @Test("a container view stays empty, and a warning says what makes its controller")
    func container() throws {
        let output = try GeneratedSource(
            StoryboardText.storyboard(
                views: "<containerView id=\"v\"><connections><segue destination=\"y\" kind=\"embed\" id=\"z\"/>"
                    + "</connections></containerView>"
            )
        )
        #expect(
            output.troubles == [
                "Main.storyboard:5: warning: the controller of a container view is not made here, and an empty view "
                    + "stands in the view's place; make the controller in viewDidLoad, and add it with addChild, in "
                    + "<containerView> with the id \"v\""
            ]
        )
    }

    @Test("two hundred troubles are told, the rest is counted")
    func manyTroubles() throws {
        let views = String(repeating: "<view odd=\"1\"/>", count: 205)
        let output = try GeneratedSource(StoryboardText.storyboard(views: views))
        #expect(output.troubles.count == 201)
        #expect(output.troubles.last == "Main.storyboard: warning: 0 more errors and 5 more warnings are not shown")
    }

    @Test("every change of a byte of a storyboard is read or refused")
    func changedBytes() throws {
        let whole = Array(
            StoryboardText.storyboard(
                views: "<label text=\"a\" id=\"l\">\(StoryboardText.rect)</label>",
                root: "<constraints><constraint firstItem=\"l\" firstAttribute=\"top\" id=\"k\"/></constraints>"
            ).utf8
        )
        for place in stride(from: 0, to: whole.count, by: 7) {
            for value in [0, 0x20, 0x22, 0x26, 0x3C, 0x3E, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] = value
                // A trap or a hang is the failure here.
                let file = try? Storyboard(path: "a.storyboard", contents: Data(changed))
                _ = file?.swift(classes: [])
            }
        }
    }
}
