// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Constraints in all forms that Xcode writes.
@Suite struct StoryboardConstraintTests {
    private static func output(
        _ constraints: String,
        root: String = "",
        controller: String = ""
    ) throws
        -> GeneratedSource
    {
        try GeneratedSource(
            StoryboardText.storyboard(
                views: "<view id=\"a\"/><view id=\"b\"/>",
                root: "<constraints>\(constraints)</constraints>\(root)",
                controller: controller
            )
        )
    }

    private static func constraint(_ items: String, _ rest: String = "multiplier: 1, constant: 0") -> String {
        "let constraint1 = NSLayoutConstraint(\(items), \(rest))"
    }

    @Test(
        "every attribute has its name in Swift",
        arguments: [
            "left", "right", "top", "bottom", "leading", "trailing", "width", "height", "centerX", "centerY",
            "firstBaseline", "lastBaseline", "leftMargin", "rightMargin", "topMargin", "bottomMargin", "leadingMargin",
            "trailingMargin", "centerXWithinMargins", "centerYWithinMargins", "baseline",
        ]
    )
    func attributes(name: String) throws {
        let output = try Self.output(
            """
            <constraint firstItem="a" firstAttribute="\(name)" secondItem="b" secondAttribute="\(name)" id="k"/>
            """
        )
        let swift = name == "baseline" ? "lastBaseline" : name
        #expect(output.troubles == [])
        #expect(
            output.end.first
                == Self.constraint(
                    "item: view1, attribute: .\(swift), relatedBy: .equal, toItem: view2, attribute: .\(swift)"
                )
        )
    }

    @Test(
        "numbers, relations and items are read",
        arguments: [
            (
                "firstItem=\"a\" firstAttribute=\"width\" secondItem=\"a\" secondAttribute=\"height\" "
                    + "multiplier=\"16:9\"",
                "item: view1, attribute: .width, relatedBy: .equal, toItem: view1, attribute: .height",
                "multiplier: 16.0 / 9.0, constant: 0"
            ),
            (
                "firstItem=\"a\" firstAttribute=\"width\" relation=\"lessThanOrEqual\" secondItem=\"b\" "
                    + "secondAttribute=\"width\" multiplier=\"0.5\" constant=\"-1.5\"",
                "item: view1, attribute: .width, relatedBy: .lessThanOrEqual, toItem: view2, attribute: .width",
                "multiplier: 0.5, constant: -1.5"
            ),
            (
                "firstItem=\"a\" firstAttribute=\"height\" relation=\"greaterThanOrEqual\" constant=\"44\"",
                "item: view1, attribute: .height, relatedBy: .greaterThanOrEqual, toItem: nil, "
                    + "attribute: .notAnAttribute", "multiplier: 1, constant: 44"
            ),
            (
                "firstAttribute=\"trailing\" secondItem=\"b\" secondAttribute=\"trailing\" constant=\"8\" "
                    + "symbolic=\"YES\"",
                "item: view3, attribute: .trailing, relatedBy: .equal, toItem: view2, attribute: .trailing",
                "multiplier: 1, constant: 8"
            ),
            (
                "firstItem=\"s\" firstAttribute=\"bottom\" secondItem=\"b\" secondAttribute=\"bottom\"",
                "item: view3.safeAreaLayoutGuide, attribute: .bottom, relatedBy: .equal, toItem: view2, "
                    + "attribute: .bottom", "multiplier: 1, constant: 0"
            ),
            (
                "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"m\" secondAttribute=\"top\"",
                "item: view1, attribute: .top, relatedBy: .equal, toItem: view3.layoutMarginsGuide, attribute: .top",
                "multiplier: 1, constant: 0"
            ),
            (
                "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"t\" secondAttribute=\"bottom\"",
                "item: view1, attribute: .top, relatedBy: .equal, toItem: owner.topLayoutGuide, attribute: .bottom",
                "multiplier: 1, constant: 0"
            ),
            (
                "firstItem=\"u\" firstAttribute=\"top\" secondItem=\"a\" secondAttribute=\"bottom\"",
                "item: owner.bottomLayoutGuide, attribute: .top, relatedBy: .equal, toItem: view1, attribute: .bottom",
                "multiplier: 1, constant: 0"
            ),
        ]
    )
    func forms(attributes: String, items: String, rest: String) throws {
        let output = try Self.output(
            "<constraint \(attributes) id=\"k\"/>",
            root: "<viewLayoutGuide key=\"layoutMargins\" id=\"m\"/>",
            controller: """
                <layoutGuides><viewControllerLayoutGuide type="top" id="t"/>
                <viewControllerLayoutGuide type="bottom" id="u"/></layoutGuides>
                """
        )
        #expect(output.troubles == [])
        #expect(
            output.end == [
                Self.constraint(items, rest), "NSLayoutConstraint.activate([", "constraint1,", "])",
            ]
        )
    }

    @Test("a scroll view's guides are items")
    func scrollGuides() throws {
        let views = """
            <scrollView id="a"><subviews><view id="b"/></subviews>
            <viewLayoutGuide key="contentLayoutGuide" id="g"/><viewLayoutGuide key="frameLayoutGuide" id="h"/>
            <constraints><constraint firstItem="b" firstAttribute="top" secondItem="g" secondAttribute="top" id="k"/>
            <constraint firstItem="b" firstAttribute="width" secondItem="h" secondAttribute="width" id="l"/>
            </constraints></scrollView>
            """
        let output = try GeneratedSource(StoryboardText.storyboard(views: views))
        #expect(output.troubles == [])
        #expect(output.end.first?.contains("toItem: scrollView1.contentLayoutGuide, ") == true)
        #expect(output.end.dropFirst().first?.contains("toItem: scrollView1.frameLayoutGuide, ") == true)
    }

    @Test("priority and identifier are set before the constraint is active")
    func priority() throws {
        let output = try Self.output(
            """
            <constraint firstItem="a" firstAttribute="width" constant="1" priority="999" identifier="w\\&quot;" id="k"/>
            """
        )
        #expect(output.troubles == [])
        #expect(
            output.end.dropFirst().prefix(3) == [
                "constraint1.priority = UILayoutPriority(999)", "constraint1.identifier = \"w\\\\\\\"\"",
                "NSLayoutConstraint.activate([",
            ]
        )
    }

    @Test("a placeholder is left out, and what the variation of all sizes excludes is not active")
    func leftOut() throws {
        let output = try Self.output(
            """
            <constraint firstItem="a" firstAttribute="width" constant="1" placeholder="YES" id="k"/>
            <constraint firstItem="a" firstAttribute="width" constant="2" id="l"/>
            """,
            root: """
                <variation key="default"><mask key="subviews"><exclude reference="b"/></mask>
                <mask key="constraints"><exclude reference="l"/></mask></variation>
                """
        )
        #expect(output.troubles == [])
        #expect(
            output.end == [
                Self.constraint(
                    "item: view1, attribute: .width, relatedBy: .equal, toItem: nil, attribute: .notAnAttribute",
                    "multiplier: 1, constant: 2"
                ), "_ = constraint1",
            ]
        )
        #expect(output.statements(of: "view3") == ["view.addSubview(view1)", "_ = view2"])
    }

    @Test("what holds for compact width and regular height counts, what holds for others does not")
    func sizeClasses() throws {
        let output = try Self.output(
            """
            <constraint firstItem="a" firstAttribute="width" constant="1" id="k">
            <variation key="heightClass=regular-widthClass=compact" constant="2"/>
            <variation key="widthClass=regular" constant="3"/></constraint>
            <constraint firstItem="a" firstAttribute="height" constant="4" id="l"/>
            <constraint firstItem="a" firstAttribute="top" constant="5" id="m"/>
            """,
            root: """
                <variation key="default"><mask key="constraints"><exclude reference="l"/><exclude reference="m"/></mask>
                </variation><variation key="widthClass=compact"><mask key="constraints"><include reference="l"/></mask>
                </variation><variation key="heightClass=compact"><mask key="constraints"><include reference="m"/></mask>
                <color key="backgroundColor" white="0" alpha="1"/></variation>
                """
        )
        #expect(output.troubles == [])
        #expect(output.end.first?.hasSuffix("constant: 2)") == true)
        #expect(output.end.suffix(4) == ["NSLayoutConstraint.activate([", "constraint1,", "constraint2,", "])"])
        #expect(output.end.contains("_ = constraint3"))
    }

    @Test(
        "what is not understood is a warning",
        arguments: [
            (
                "firstItem=\"a\" firstAttribute=\"depth\"",
                [
                    "firstAttribute is \"depth\", which is no value that is known here",
                    "the constraint is not understood and is left out",
                ]
            ),
            ("firstItem=\"x\" firstAttribute=\"top\"", ["the constraint is not understood and is left out"]),
            (
                "firstItem=\"a\" firstAttribute=\"top\" secondItem=\"x\" secondAttribute=\"top\"",
                ["the constraint's second item is not there, and it is left out"]
            ),
            (
                "firstItem=\"a\" firstAttribute=\"width\" multiplier=\"1:0\"",
                ["multiplier is \"1:0\", which is no number"]
            ),
            (
                "firstItem=\"a\" firstAttribute=\"width\" constant=\"nan\"", ["constant is \"nan\", which is no number"]
            ),
        ]
    )
    func warnings(attributes: String, messages: [String]) throws {
        let output = try Self.output("<constraint \(attributes) id=\"k\"/>")
        #expect(
            output.troubles
                == messages.map { "Main.storyboard:5: warning: \($0), in <constraint> with the id \"k\"" }
        )
    }
}
