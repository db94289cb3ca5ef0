// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Outlets, actions, gestures and runtime attributes, against the classes of the sources.
@Suite struct StoryboardConnectionTests {
    private static let classes = [
        InterfaceClass(
            name: "Base",
            superclass: "UIViewController",
            outlets: [.init(name: "caption", type: "UILabel!")],
            actions: ["tapped:"]
        ),
        InterfaceClass(
            name: "Content",
            superclass: "Base",
            outlets: [
                .init(name: "gap", type: "NSLayoutConstraint?"), .init(name: "buttons", type: "[UIButton]!"),
                .init(name: "any", type: "AnyObject?"), .init(name: "foreign", type: "SomeProtocol?"),
                .init(name: "helper", type: "Helper"),
            ],
            inspectables: [.init(name: "mode", type: "String")]
        ),
        InterfaceClass(
            name: "Badge",
            superclass: "UILabel",
            outlets: [.init(name: "partner", type: "UIView?")],
            inspectables: [
                .init(name: "inset", type: "CGFloat"), .init(name: "fixed", type: "Int", isConstant: true),
                .init(name: "count", type: "Int"),
                .init(name: "isRound", type: "Bool"), .init(name: "note", type: "String?"),
                .init(name: "stroke", type: "UIColor?"), .init(name: "mark", type: "UIImage!"),
                .init(name: "origin", type: "CGPoint"), .init(name: "extent", type: "CGSize"),
                .init(name: "box", type: "CGRect"), .init(name: "span", type: "NSRange"),
            ]
        ),
        InterfaceClass(name: "Helper", superclass: "NSObject"),
        InterfaceClass(name: "Foreign", superclass: "SnappyViewController"),
    ]

    private static func output(
        views: String = "<label id=\"l\"/><button id=\"b\"/><button id=\"d\"/>",
        connections: String = "",
        controller: String = "",
        objects: String = "",
        customClass: String = "Content"
    ) throws -> GeneratedSource {
        try GeneratedSource(
            StoryboardText.storyboard(
                views: views,
                root: """
                    <constraints><constraint firstItem="l" firstAttribute="width" constant="1" id="k"/></constraints>
                    """,
                controller: "<connections>\(connections)</connections>\(controller)",
                objects: objects,
                customClass: customClass
            ),
            classes: classes
        )
    }

    @Test("outlets lead to views, constraints, lists and objects, of the class and the one above it")
    func outlets() throws {
        let output = try Self.output(
            connections: """
                <outlet property="caption" destination="l" id="1"/><outlet property="gap" destination="k" id="2"/>
                <outletCollection property="buttons" destination="b" id="3"/>
                <outlet property="any" destination="l" id="4"/><outlet property="foreign" destination="l" id="5"/>
                <outletCollection property="buttons" destination="d" collectionClass="NSMutableArray" id="6"/>
                <outlet property="helper" destination="h" id="7"/>
                """,
            objects: "<customObject id=\"h\" customClass=\"Helper\"/>"
        )
        #expect(output.troubles == [])
        #expect(output.lines.contains("let customObject1 = Helper()"))
        #expect(output.lines.contains("return [customObject1]"))
        #expect(
            output.end.filter { $0.hasPrefix("Obj") } == [
                "ObjectiveCNames.setOutlet(\"caption\", of: owner, to: label1)",
                "ObjectiveCNames.setOutlet(\"gap\", of: owner, to: constraint1)",
                "ObjectiveCNames.setOutlet(\"any\", of: owner, to: label1)",
                "ObjectiveCNames.setOutlet(\"foreign\", of: owner, to: label1)",
                "ObjectiveCNames.setOutlet(\"helper\", of: owner, to: customObject1)",
                "ObjectiveCNames.setOutlet(\"buttons\", of: owner, to: [button1, button2] as [NSObject])",
            ]
        )
    }

    @Test("UIKit's own outlets are assigned")
    func ownOutlets() throws {
        let output = try Self.output(
            views: """
                <label id="l"/><textField id="t"><connections><outlet property="delegate" destination="c" id="1"/>
                </connections></textField><textView id="u"><connections>
                <outlet property="delegate" destination="c" id="2"/></connections></textView>
                <scrollView id="v"><connections><outlet property="delegate" destination="c" id="3"/></connections>
                </scrollView>
                """
        )
        #expect(output.troubles == [])
        #expect(
            output.end.filter { $0.contains(".delegate") } == [
                "textField1.delegate = owner as? any UITextFieldDelegate",
                "textView1.delegate = owner as? any UITextViewDelegate",
                "scrollView1.delegate = owner as? any UIScrollViewDelegate",
            ]
        )
    }

    @Test("actions lead to the controller or along the responder chain, by their events")
    func actions() throws {
        let output = try Self.output(
            views: """
                <label id="l"/><slider id="x"><connections>
                <action selector="tapped:" destination="c" eventType="valueChanged" id="1"/>
                <action selector="anything:with:" destination="f" eventType="touchDown" id="2"/></connections></slider>
                """
        )
        #expect(output.troubles == [])
        #expect(
            output.end.filter { $0.contains("addTarget") } == [
                "slider1.addTarget(owner, action: Selector(\"tapped:\"), for: .valueChanged)",
                "slider1.addTarget(nil, action: Selector(\"anything:with:\"), for: .touchDown)",
            ]
        )
    }

    @Test("gestures are made, added and connected")
    func gestures() throws {
        let gestures = """
            <tapGestureRecognizer numberOfTapsRequired="2" numberOfTouchesRequired="1" delaysTouchesBegan="YES"
                delaysTouchesEnded="NO" cancelsTouchesInView="NO" enabled="NO" id="g"><connections>
            <action selector="tapped:" destination="c" id="1"/><outlet property="delegate" destination="c" id="2"/>
            </connections></tapGestureRecognizer>
            <pongPressGestureRecognizer allowableMovement="10" minimumPressDuration="0.5" id="h"/>
            <swipeGestureRecognizer direction="left" numberOfTouchesRequired="2" id="i"/>
            <panGestureRecognizer minimumNumberOfTouches="1" maximumNumberOfTouches="2" id="j"/>
            """
        let output = try Self.output(
            views: """
                <label id="l"><connections>
                <outletCollection property="gestureRecognizers" destination="g" appends="YES" id="3"/></connections>
                </label>
                """,
            objects: gestures
        )
        #expect(output.troubles == [])
        let start = output.lines.firstIndex { $0.hasPrefix("let tapGestureRecognizer1") } ?? 0
        let end = output.lines.firstIndex { $0.hasPrefix("owner.view") } ?? 0
        #expect(
            Array(output.lines[start..<end]) == [
                "let tapGestureRecognizer1 = UITapGestureRecognizer(target: nil, action: nil)",
                "tapGestureRecognizer1.isEnabled = false", "tapGestureRecognizer1.cancelsTouchesInView = false",
                "tapGestureRecognizer1.delaysTouchesBegan = true", "tapGestureRecognizer1.delaysTouchesEnded = false",
                "tapGestureRecognizer1.numberOfTapsRequired = 2", "tapGestureRecognizer1.numberOfTouchesRequired = 1",
                "let pongPressGestureRecognizer1 = UILongPressGestureRecognizer(target: nil, action: nil)",
                "pongPressGestureRecognizer1.minimumPressDuration = 0.5",
                "pongPressGestureRecognizer1.allowableMovement = 10",
                "let swipeGestureRecognizer1 = UISwipeGestureRecognizer(target: nil, action: nil)",
                "swipeGestureRecognizer1.direction = .left", "swipeGestureRecognizer1.numberOfTouchesRequired = 2",
                "let panGestureRecognizer1 = UIPanGestureRecognizer(target: nil, action: nil)",
                "panGestureRecognizer1.minimumNumberOfTouches = 1", "panGestureRecognizer1.maximumNumberOfTouches = 2",
            ]
        )
        #expect(
            output.end.suffix(3) == [
                "label1.addGestureRecognizer(tapGestureRecognizer1)",
                "tapGestureRecognizer1.delegate = owner as? any UIGestureRecognizerDelegate",
                "tapGestureRecognizer1.addTarget(owner, action: Selector(\"tapped:\"))",
            ]
        )
    }

    @Test("classes of the sources are made, set and woken")
    func customClasses() throws {
        let value = { (type: String, path: String, rest: String) in
            "<userDefinedRuntimeAttribute type=\"\(type)\" keyPath=\"\(path)\"\(rest)"
        }
        let close = "</userDefinedRuntimeAttribute>"
        let output = try Self.output(
            views: """
                <label customClass="Badge" customModule="M" customModuleProvider="target" id="l">
                <userDefinedRuntimeAttributes>
                \(value("number", "inset", "><real key=\"value\" value=\"4.5\"/>\(close)"))
                \(value("number", "count", "><integer key=\"value\" value=\"3\"/>\(close)"))
                \(value("boolean", "isRound", " value=\"YES\"/>"))
                \(value("string", "note", " value=\"\\(x)\"/>"))
                \(value("color", "stroke", "><color key=\"value\" white=\"0\" alpha=\"1\"/>\(close)"))
                \(value("image", "mark", " value=\"logo\"/>"))
                \(value("point", "origin", "><point key=\"value\" x=\"1\" y=\"2\"/>\(close)"))
                \(value("size", "extent", "><size key=\"value\" width=\"1\" height=\"2\"/>\(close)"))
                \(value("rect", "box", "><rect key=\"value\" x=\"1\" y=\"2\" width=\"3\" height=\"4\"/>\(close)"))
                \(value("range", "span", "><range key=\"value\" location=\"1\" length=\"2\"/>\(close)"))
                \(value("nil", "note", "/>"))
                \(value("number", "layer.cornerRadius", "><integer key=\"value\" value=\"8\"/>\(close)"))
                \(value("number", "layer.borderWidth", "><integer key=\"value\" value=\"1\"/>\(close)"))
                \(value("boolean", "layer.masksToBounds", " value=\"YES\"/>"))
                </userDefinedRuntimeAttributes></label>
                """,
            controller: """
                <userDefinedRuntimeAttributes>\(value("string", "mode", " value=\"m\"/>"))
                </userDefinedRuntimeAttributes>
                """
        )
        #expect(output.troubles == [])
        #expect(output.lines.contains("let label1 = NibCoder.customView(Badge.self) { view in"))
        #expect(
            output.end.filter { $0.hasPrefix("label1.") } == [
                "label1.inset = 4.5", "label1.count = 3", "label1.isRound = true", "label1.note = \"\\\\(x)\"",
                "label1.stroke = UIColor(white: 0, alpha: 1)", "label1.mark = UIImage(named: \"logo\")",
                "label1.origin = CGPoint(x: 1, y: 2)", "label1.extent = CGSize(width: 1, height: 2)",
                "label1.box = CGRect(x: 1, y: 2, width: 3, height: 4)",
                "label1.span = NSRange(location: 1, length: 2)", "label1.note = nil",
                "label1.layer.cornerRadius = 8", "label1.layer.borderWidth = 1", "label1.layer.masksToBounds = true",
                "label1.awakeFromNib()",
            ]
        )
        let making = output.lines.prefix { $0 != "return controller" }
        #expect(making.contains("controller.mode = \"m\""))
        #expect(making.last == "controller.awakeFromNib()")
    }

    @Test("the compiler's messages about names of the file point into the file")
    func sourceLocation() throws {
        let output = try Self.output(views: "<label customClass=\"Badge\" id=\"l\"/>")
        let line = output.lines.firstIndex { $0.hasPrefix("let label1") } ?? 1
        #expect(output.lines[line - 1] == "#sourceLocation(file: \"Main.storyboard\", line: 5)")
    }

    // MARK: Errors and warnings

    @Test(
        "a connection that cannot hold is an error with its line",
        arguments: [
            (
                "<outlet property=\"nothing\" destination=\"l\" id=\"1\"/>",
                "the class \"Content\" has no @IBOutlet \"nothing\", in <outlet> with the id \"1\""
            ),
            (
                "<outlet property=\"caption\" destination=\"b\" id=\"1\"/>",
                "the outlet \"caption\" is of type UILabel!, and leads to a UIButton, in <outlet> with the id \"1\""
            ),
            (
                "<outlet property=\"helper\" destination=\"b\" id=\"1\"/>",
                "the outlet \"helper\" is of type Helper, and leads to a UIButton, in <outlet> with the id \"1\""
            ),
            (
                "<outlet property=\"buttons\" destination=\"b\" id=\"1\"/>",
                "the outlet \"buttons\" is of type [UIButton]!, and the file has one object for it, "
                    + "in <outlet> with the id \"1\""
            ),
            (
                "<outletCollection property=\"caption\" destination=\"l\" id=\"1\"/>",
                "the outlet \"caption\" is of type UILabel!, and the file has a list for it, "
                    + "in <outletCollection> with the id \"1\""
            ),
            (
                "<outlet property=\"caption\" destination=\"x\" id=\"1\"/>",
                "the outlet \"caption\" leads to \"x\", which is not there or not known here, in <outlet> with the id "
                    + "\"1\""
            ),
            (
                "<outlet property=\"a b\" destination=\"l\" id=\"1\"/>",
                "the outlet \"a b\" has no name that Swift knows, in <outlet> with the id \"1\""
            ),
        ]
    )
    func brokenOutlets(connection: String, message: String) throws {
        let output = try Self.output(connections: connection)
        #expect(output.troubles == ["Main.storyboard:6: error: \(message)"])
    }

    @Test("a view whose class is not there is an empty view, to which no outlet of its class leads")
    func standIns() throws {
        let output = try Self.output(
            views: """
                <label id="l"/><tableView rowHeight="-1" id="t"><rect key="frame" x="1" y="2" width="3" height="4"/>
                <prototypes><tableViewCell id="u"/></prototypes><constraints>
                <constraint firstAttribute="width" constant="9" id="v"/></constraints><connections>
                <outlet property="dataSource" destination="c" id="w"/></connections></tableView>
                """,
            connections: """
                <outlet property="any" destination="t" id="1"/><outlet property="foreign" destination="t" id="2"/>
                """
        )
        #expect(
            output.troubles == [
                "Main.storyboard:5: warning: <tableView> is not known here, and an empty view stands in its place, "
                    + "in <tableView> with the id \"t\"",
                "Main.storyboard:9: error: the outlet \"foreign\" is of type SomeProtocol?, and leads to a "
                    + "<tableView>, in <outlet> with the id \"2\"",
            ]
        )
        #expect(output.lines.contains("let tableView1 = NibCoder.view(UIView.self) { view in"))
        #expect(output.statements(of: "tableView1") == ["view.frame = CGRect(x: 1, y: 2, width: 3, height: 4)"])
        #expect(output.end.contains("ObjectiveCNames.setOutlet(\"any\", of: owner, to: tableView1)"))
        #expect(output.end.contains { $0.contains("item: tableView1, attribute: .width") })
    }

    @Test(
        "an action that cannot be sent is named with its line",
        arguments: [
            (
                "<button id=\"b\"><connections><action selector=\"gone:\" destination=\"c\" "
                    + "eventType=\"touchUpInside\" id=\"1\"/></connections></button>",
                "error: the class \"Content\" has no @IBAction \"gone:\""
            ),
            (
                "<button id=\"b\"><connections><action selector=\"a()\" destination=\"c\" eventType=\"touchUpInside\" "
                    + "id=\"1\"/></connections></button>", "error: the action \"a()\" has no name that Swift knows"
            ),
            (
                "<button id=\"b\"><connections><action selector=\"tapped:\" destination=\"x\" eventType=\"touchDown\" "
                    + "id=\"1\"/></connections></button>",
                "error: the action \"tapped:\" leads to \"x\", which is not there or not known here"
            ),
            (
                "<button id=\"b\"><connections><action selector=\"removeFromSuperview\" destination=\"l\" "
                    + "eventType=\"touchDown\" id=\"1\"/></connections></button>",
                "warning: UIKit's own \"removeFromSuperview\" is not called from files here, and is left out"
            ),
            (
                "<button id=\"b\"><connections><action selector=\"tapped:\" destination=\"c\" id=\"1\"/></connections>"
                    + "</button>", "warning: the action \"tapped:\" has no event, and is left out"
            ),
            (
                "<view id=\"b\"><connections><action selector=\"tapped:\" destination=\"c\" eventType=\"touchDown\" "
                    + "id=\"1\"/></connections></view>",
                "warning: a UIView sends no actions: \"tapped:\" is left out"
            ),
        ]
    )
    func brokenActions(view: String, message: String) throws {
        let output = try Self.output(views: "<label id=\"l\"/>\(view)")
        #expect(output.troubles == ["Main.storyboard:5: \(message), in <action> with the id \"1\""])
    }

    @Test(
        "a runtime attribute of an unknown path is a warning, one that cannot be set or is of another type an error",
        arguments: [
            (
                "type=\"number\" keyPath=\"fixed\"><integer key=\"value\" value=\"1\"/>",
                "error: \"fixed\" of the class \"Badge\" is a constant or has no setter: give it one, or take the "
                    + "attribute away in Xcode's identity inspector"
            ),
            (
                "type=\"color\" keyPath=\"layer.borderColor\"><color key=\"value\" white=\"0\" alpha=\"1\"/>",
                "warning: \"layer.borderColor\" is no property that is known here of the class \"Badge\", "
                    + "and is left out"
            ),
            (
                "type=\"string\" keyPath=\"layer.cornerRadius\" value=\"1\">",
                "warning: \"layer.cornerRadius\" takes no such value, and is left out"
            ),
            (
                "type=\"number\" keyPath=\"inset\"><integer key=\"value\" value=\"many\"/>",
                "warning: the value for \"inset\" is not understood, and is left out"
            ),
            (
                "type=\"number\" keyPath=\"count\"><real key=\"value\" value=\"1.5\"/>",
                "error: \"count\" is of type Int, and the file's value is none of it"
            ),
            (
                "type=\"string\" keyPath=\"inset\" value=\"1\">",
                "error: \"inset\" is of type CGFloat, and the file's value is none of it"
            ),
        ]
    )
    func brokenAttributes(attribute: String, message: String) throws {
        let output = try Self.output(
            views: """
                <label customClass="Badge" id="l"><userDefinedRuntimeAttributes>\
                <userDefinedRuntimeAttribute \(attribute)
                </userDefinedRuntimeAttribute></userDefinedRuntimeAttributes></label>
                """
        )
        #expect(output.troubles == ["Main.storyboard:5: \(message), in <userDefinedRuntimeAttribute>"])
    }

    @Test("a runtime attribute that the sources do not declare is left to the compiler, at the file's line")
    func undeclaredAttributes() throws {
        let output = try Self.output(
            views: """
                <label customClass="Badge" id="l"><userDefinedRuntimeAttributes>
                <userDefinedRuntimeAttribute type="number" keyPath="depth"><integer key="value" value="1"/>
                </userDefinedRuntimeAttribute>
                <userDefinedRuntimeAttribute type="boolean" keyPath="hidden" value="YES"/>
                </userDefinedRuntimeAttributes></label>
                """
        )
        #expect(output.troubles == [])
        let line = try #require(output.lines.firstIndex(of: "label1.depth = 1"))
        #expect(output.lines[line - 1] == "#sourceLocation(file: \"Main.storyboard\", line: 6)")
        #expect(output.lines.contains("label1.isHidden = true"))
    }

    @Test(
        "a class that cannot be used is named",
        arguments: [
            (
                "<label customClass=\"Absent\" id=\"l\"/>",
                "warning: no source has the class \"Absent\", a UILabel stands in its place"
            ),
            ("<label customClass=\"Helper\" id=\"l\"/>", "error: the class \"Helper\" is not derived from UILabel"),
            (
                "<label customClass=\"A.B\" id=\"l\"/>",
                "error: the class \"A.B\" has a name that Swift does not know"
            ),
        ]
    )
    func brokenClasses(view: String, message: String) throws {
        let output = try Self.output(views: view)
        #expect(output.troubles == ["Main.storyboard:5: \(message), in <label> with the id \"l\""])
    }

    @Test("a controller's class must be there; nothing is checked beyond a class of another module")
    func controllers() throws {
        let missing = try Self.output(
            connections: "<outlet property=\"x\" destination=\"l\" id=\"1\"/>",
            customClass: "Absent"
        )
        #expect(
            missing.troubles == [
                "Main.storyboard:4: error: no source has the class \"Absent\", in <viewController> with the id \"c\""
            ]
        )
        let foreign = try Self.output(
            connections: "<outlet property=\"x\" destination=\"l\" id=\"1\"/>",
            customClass: "Foreign"
        )
        #expect(foreign.troubles == [])
    }
}
