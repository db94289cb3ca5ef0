// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Xibs, and the source that makes all files known.
@Suite struct StoryboardNibTests {
    @Test("a xib without an owner gives its objects")
    func withoutOwner() throws {
        let text = StoryboardText.xib(objects: "<label id=\"l\"/><tapGestureRecognizer id=\"t\"/>")
        let output = try GeneratedSource(text, path: "Card.xib")
        #expect(output.troubles == [])
        #expect(output.lines.contains("return [label1, tapGestureRecognizer1]"))
    }

    @Test("a xib's view of a class of the sources has outlets of its own")
    func viewWithOutlets() throws {
        let card = InterfaceClass(
            name: "Card",
            superclass: "UIView",
            outlets: [.init(name: "title", type: "UILabel!")]
        )
        let text = StoryboardText.xib(
            objects: """
                <view customClass="Card" id="v"><subviews><label id="l"/></subviews>
                <connections><outlet property="title" destination="l" id="o"/></connections></view>
                """
        )
        let output = try GeneratedSource(text, classes: [card], path: "Card.xib")
        #expect(output.troubles == [])
        #expect(
            output.lines.suffix(5) == [
                "ObjectiveCNames.setOutlet(\"title\", of: view1, to: label1)", "view1.awakeFromNib()",
                "return [view1]", "}", "}",
            ]
        )
    }

    @Test("a xib's recognizer and control send their actions to the owner")
    func actions() throws {
        let card = InterfaceClass(name: "Card", superclass: "UIView", actions: ["tapped:"])
        let text = StoryboardText.xib(
            objects: """
                <button id="b"><connections><action selector="tapped:" destination="-1"
                eventType="touchUpInside" id="1"/></connections></button><tapGestureRecognizer id="t"><connections>
                <action selector="tapped:" destination="-1" id="2"/><action selector="x" destination="-2" id="3"/>
                </connections></tapGestureRecognizer>
                """,
            owner: "Card"
        )
        let output = try GeneratedSource(text, classes: [card], path: "Card.xib")
        #expect(
            output.troubles == [
                "Card.xib:8: warning: a recognizer needs an object for its action, which is left out, in <action> with "
                    + "the id \"3\""
            ]
        )
        #expect(
            output.lines.filter { $0.contains("addTarget") } == [
                "button1.addTarget(owner, action: Selector(\"tapped:\"), for: .touchUpInside)",
                "if let owner { tapGestureRecognizer1.addTarget(owner, action: Selector(\"tapped:\")) }",
            ]
        )
    }

    @Test("an owner whose class no source has, and an outlet that it lacks, are errors")
    func owners() throws {
        let connection = "<outlet property=\"x\" destination=\"l\" id=\"o\"/>"
        let objects = "<label id=\"l\"/>"
        let unknown = try GeneratedSource(
            StoryboardText.xib(objects: objects, owner: "Absent", connections: connection),
            path: "Card.xib"
        )
        #expect(
            unknown.troubles == [
                "Card.xib:3: error: no source has the class \"Absent\" of File's Owner, in <placeholder> with the id "
                    + "\"-1\""
            ]
        )
        let none = try GeneratedSource(StoryboardText.xib(objects: objects, connections: connection), path: "Card.xib")
        #expect(
            none.troubles == [
                "Card.xib:4: error: the class \"NSObject\" has no @IBOutlet \"x\", in <outlet> with the id \"o\""
            ]
        )
    }

    @Test("all files of an extension are made known by one function")
    func registration() throws {
        let board = try Storyboard(path: "Base.lproj/Main.storyboard", contents: Data(StoryboardText.storyboard().utf8))
        let nib = try Storyboard(path: "Ca rd.xib", contents: Data(StoryboardText.xib(objects: "").utf8))
        let output = InterfaceRegistration.swift([board, nib], catalogs: [])
        #expect(output.troubles == [])
        #expect(
            output.source == """
                import Foundation
                import UIKit

                enum InterfaceFiles {
                    @MainActor static func register() {
                        NibFiles.add(storyboard: "Main", initial: { Main_storyboard.makeInitialViewController() })
                        NibFiles.add(nib: "Ca rd", objects: { Ca_rd_xib.makeObjects(owner: $0) })
                    }
                }

                """
        )
    }

    @Test("two files whose names make one type are an error")
    func doubledNames() throws {
        let data = Data(StoryboardText.xib(objects: "").utf8)
        let files = try ["a-b.xib", "a b.xib"].map { try Storyboard(path: $0, contents: data) }
        #expect(
            InterfaceRegistration.swift(files, catalogs: []).troubles.map(\.description) == [
                "a b.xib: error: its name is too much like that of a-b.xib: rename one of the files"
            ]
        )
    }

    @Test(
        "the name of a type comes from the name of a file",
        arguments: [
            ("Main.storyboard", "Main_storyboard"), ("a/b c.xib", "b_c_xib"), ("1.xib", "_1_xib"),
            ("Ä.xib", "___xib"), ("class.xib", "class_xib"),
        ]
    )
    func typeNames(path: String, name: String) {
        #expect(SwiftText.typeName(ofFile: path) == name)
        #expect(SwiftText.isIdentifier(name))
    }

    @Test("an image that is not there is a warning where the images are known")
    func missingImages() throws {
        let text = StoryboardText.storyboard(
            views: """
                <imageView image="logo" id="a"/><imageView image="gone" id="b"/>
                <imageView image="star" catalog="system" id="d"/>
                """
        )
        let output = try GeneratedSource(text, options: InterfaceOptions(images: ["logo"]))
        #expect(
            output.troubles == [
                "Main.storyboard:5: warning: there is no image \"gone\" in the extension's files, in <imageView> with "
                    + "the id \"b\""
            ]
        )
    }

    @Test(
        "types of outlets are read without marks and modules",
        arguments: [
            ("UILabel", "UILabel", false), ("UILabel!", "UILabel", false), ("UIKit.UILabel?", "UILabel", false),
            ("Optional<UILabel>", "UILabel", false), ("[UIButton]!", "UIButton", true),
            ("Array<UIButton>", "UIButton", true), ("[ UIKit.UIButton ]?", "UIButton", true),
        ]
    )
    func outletTypes(type: String, element: String, isCollection: Bool) {
        let property = InterfaceClass.Property(name: "a", type: type)
        #expect(property.elementType == element)
        #expect(property.isCollection == isCollection)
    }

    @Test("names for Objective-C are those of the file")
    func objectiveCNames() throws {
        let text = StoryboardText.storyboard(
            views: """
                <label customClass="OldBadge" id="l"><userDefinedRuntimeAttributes>
                <userDefinedRuntimeAttribute type="boolean" keyPath="round" value="YES"/></userDefinedRuntimeAttributes>
                <connections><outlet property="oldPartner" destination="l" id="o"/></connections></label>
                """
        )
        let badge = InterfaceClass(
            name: "Badge",
            objectiveCName: "OldBadge",
            superclass: "UILabel",
            outlets: [.init(name: "partner", type: "UIView?", objectiveCName: "oldPartner")],
            inspectables: [.init(name: "isRound", type: "", objectiveCName: "round")]
        )
        let output = try GeneratedSource(text, classes: [badge])
        #expect(output.troubles == [])
        #expect(output.lines.contains("let label1 = NibCoder.customView(Badge.self) { view in"))
        #expect(output.end.contains("label1.isRound = true"))
        #expect(output.end.contains("ObjectiveCNames.setOutlet(\"oldPartner\", of: label1, to: label1)"))
    }

    @Test("a class inside another is known by its name for Objective-C, and a superclass by its module")
    func nestedClasses() throws {
        let badge = InterfaceClass(name: "Outer.Badge", objectiveCName: "Badge", superclass: "UIKit.UILabel")
        let text = StoryboardText.storyboard(
            views: "<label customClass=\"Badge\" id=\"l\"/><button customClass=\"Badge\" id=\"b\"/>"
        )
        let output = try GeneratedSource(text, classes: [badge])
        #expect(output.lines.contains("let label1 = NibCoder.customView(Outer.Badge.self) { view in"))
        #expect(
            output.troubles == [
                "Main.storyboard:5: error: the class \"Outer.Badge\" is not derived from UIButton, in <button> with "
                    + "the id \"b\""
            ]
        )
    }

    @Test("an outlet \"view\" of the sources goes before that of controllers")
    func outletNamedView() throws {
        let connection = "<outlet property=\"view\" destination=\"v\" id=\"o\"/>"
        let own = InterfaceClass(name: "Card", superclass: "UIView", outlets: [.init(name: "view", type: "UIView!")])
        let output = try GeneratedSource(
            StoryboardText.xib(objects: "<view id=\"v\"/>", owner: "Card", connections: connection),
            classes: [own],
            path: "Card.xib"
        )
        #expect(output.lines.contains("ObjectiveCNames.setOutlet(\"view\", of: owner, to: view1)"))
        let plain = try GeneratedSource(
            StoryboardText.xib(objects: "<view id=\"v\"/>", connections: connection),
            path: "Card.xib"
        )
        #expect(plain.lines.contains("(owner as? UIViewController)?.view = view1"))
        #expect(output.troubles + plain.troubles == [])
    }

    @Test("an extension of UIKit's own class lends its properties to all below it")
    func extensions() throws {
        let text = StoryboardText.storyboard(
            views: """
                <label id="l"><userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="number"
                keyPath="cornerRadius"><integer key="value" value="4"/></userDefinedRuntimeAttribute>
                </userDefinedRuntimeAttributes></label>
                """
        )
        let view = InterfaceClass(name: "UIView", inspectables: [.init(name: "cornerRadius", type: "CGFloat")])
        let output = try GeneratedSource(text, classes: [view])
        #expect(output.troubles == [])
        #expect(output.end.contains("label1.cornerRadius = 4"))
    }
}
