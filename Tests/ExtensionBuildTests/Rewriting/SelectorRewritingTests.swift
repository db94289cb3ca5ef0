// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The text in the place of `#selector` and `#keyPath`.
struct SelectorRewritingTests {
    /// The class in which the expression stands, beside others.
    private static let members = """
        @objc func plain() {}
        @IBAction func tapped(_ sender: Any) {}
        func both(_ sender: Any, with event: Any) {}
        @objc(custom:) func named(_ sender: Any) {}
        @objc(isOn) var on = true
        @objc func one(_ a: Int) {}
        func one(_ a: Int, b: Int) {}
        @objc func two(_ a: Int) {}
        @objc(twoWith::) func two(_ a: String, b: String) {}
        override func replaced() {}
        @objc func `for`(in x: Any) {}
        """

    private static func rewritten(_ expression: String) -> String {
        let head = "class A: Base { func f() { x = "
        let tail =
            " }\n\(members)\n class Inner { @objc func inner() {} } }\n"
            + "class Base: UIControl { @objc(other) func replaced() {}; @objc func inherited(_ a: Any) {} }\n"
            + "extension A { @objc func added(on a: Any) {} }\n"
            + "extension UIResponder { @objc func hideKeyboard(_ sender: Any) {} }\n"
            + "extension UIView { @objc func fade(slowly: Bool) {} }\n"
            + "extension String { func resize() {} }\nextension UISlider { @objc func glide(_ a: Any) {} }\n"
        let text = RewrittenSources(["a.swift": Array((head + expression + tail).utf8)]).texts["a.swift"] ?? []
        let whole = String(decoding: text, as: UTF8.self)
        guard let start = whole.firstRange(of: "x = "), let end = whole.firstRange(of: " }\n") else { return "" }
        return String(whole[start.upperBound..<end.lowerBound])
    }

    @Test(arguments: [
        ("#selector(plain)", "Selector(\"plain\")"),
        ("#selector(self.plain)", "Selector(\"plain\"    )"),
        ("#selector(tapped)", "Selector(\"tapped:\")"),
        ("#selector(tapped(_:))", "Selector(\"tapped:\"  )"),
        ("#selector(self.tapped(_:))", "Selector(\"tapped:\"       )"),
        ("#selector(A.both)", "Selector(\"both:with:\")"),
        ("#selector(A.both(_:with:))", "Selector(\"both:with:\"    )"),
        ("#selector(named)", "Selector(\"custom:\")"),
        ("#selector(named(_:))", "Selector(\"custom:\" )"),
        ("#selector(getter: on)", "Selector(\"isOn\"     )"),
        ("#selector(setter: on)", "Selector(\"setIsOn:\" )"),
        ("#selector(setter: UIView.tag)", "Selector(\"setTag:\"          )"),
        ("#selector(one)", "Selector(\"one:\")"),
        ("#selector(two(_:b:))", "Selector(\"twoWith::\")"),
        ("#selector(two as (Int) -> Void)", "Selector(\"two:\"               )"),
        (
            "#selector(A.two as (A) -> (String, String) -> Void)",
            "Selector(\"twoWith::\"                              )"
        ),
        ("#selector(replaced)", "Selector(\"other\"  )"),
        ("#selector(inherited)", "Selector(\"inherited:\")"),
        ("#selector(added)", "Selector(\"addedOn:\")"),
        ("#selector(Inner.inner)", "Selector(\"inner\"     )"),
        ("#selector(A.Inner.inner)", "Selector(\"inner\"       )"),
        ("#selector(`for`(in:))", "Selector(\"forIn:\"   )"),
        ("#selector(UIView.endEditing(_:))", "Selector(\"endEditing:\"         )"),
        ("#selector(viewDidLoad)", "Selector(\"viewDidLoad\")"),
        ("#selector(type(of: self).tapped(_:))", "Selector(\"tapped:\"                 )"),
        ("#selector(self?.object.run(for:))", "Selector(\"runFor:\"              )"),
        ("#selector((plain))", "Selector(\"plain\" )"),
        ("#selector(/* x */ plain)", "Selector(\"plain\"       )"),
        ("#selector(\n  tapped(_:)\n)", "Selector(\"tapped:\"\n            \n)"),
        ("#selector(\r\n  tapped(_:)\r\n)", "Selector(\"tapped:\"\r\n            \r\n)"),
        ("#selector(hideKeyboard)", "Selector(\"hideKeyboard:\")"),
        ("#selector(UIView.endEditing)", "Selector(\"endEditing:\"     )"),
        ("#selector(UIViewController.viewDidAppear)", "Selector(\"viewDidAppear:\"               )"),
        (
            "#selector(dismiss(animated:completion:))",
            "Selector(\"dismissViewControllerAnimated:completion:\")"
        ),
        ("#selector(copy(_:))", "Selector(\"copy:\"  )"),
        ("#selector(getter: UIView.isHidden)", "Selector(\"isHidden\"              )"),
        ("#selector(setter: UIView.isHidden)", "Selector(\"setHidden:\"            )"),
        ("#selector(setter: UIView.island)", "Selector(\"setIsland:\"          )"),
        ("#selector(UITextFieldDelegate.inherited(_:))", "Selector(\"inherited:\"                      )"),
        ("#selector(resize)", "Selector(\"resize\")"),
        ("#selector(glide)", "Selector(\"glide\")"),
        ("#selector(UISlider.glide)", "Selector(\"glide:\"       )"),
        ("#selector(UISwitch.glide)", "Selector(\"glide\"        )"),
        ("#selector(UIView.fade)", "Selector(\"fadeWithSlowly:\")"),
        ("{ #selector(plain) }", "{ Selector(\"plain\") }"),
        ("\"\\(#selector(plain))\"", "\"\\(Selector(\"plain\"))\""),
        ("#keyPath(A.on)", "(\"on\"        )"),
        ("#keyPath(on)", "(\"on\"      )"),
        ("#keyPath(UIView.layer.borderColor)", "(\"layer.borderColor\"             )"),
        ("#keyPath(A.Inner.b)", "(\"b\"              )"),
    ])
    func `an expression becomes its name in its place`(source: String, text: String) {
        #expect(Self.rewritten(source) == text)
    }

    @Test func `a name is looked for in all files`() {
        let sources = [
            "a.swift": "class A { func f() { x = #selector(b) } }",
            "b.swift": "extension A { @objc func b(to c: C) {} }",
        ]
        let rewritten = RewrittenSources(sources.mapValues { Array($0.utf8) })
        #expect(String(decoding: rewritten.texts["a.swift"] ?? [], as: UTF8.self).contains("Selector(\"bTo:\")"))
        #expect(rewritten.registrations == ["_extensionHostNames1"])
    }

    @Test func `outside of a class all functions are looked at`() {
        let source = "let x = #selector(b), y = #selector(c.d)\nclass A { @objc func b(_ c: C) {}; func d(_ e: E) {} }"
        let text = String(
            decoding: RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? [],
            as: UTF8.self
        )
        #expect(text.hasPrefix("let x = Selector(\"b:\"), y = Selector(\"d:\")\n"))
        #expect(text.contains("register(\"b:\"") && text.contains("register(\"d:\""))
    }

    @Test func `no line moves`() {
        let source = "class A {\n let a = #selector(\n\n  b\n  (_:)\n ); let c = 1\n @objc func b(_: C) {} }\n// end"
        let text = RewrittenSources(["a.swift": Array(source.utf8)]).texts["a.swift"] ?? []
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[5] == " ); let c = 1")
        #expect(lines[7] == "// end")
        #expect(lines[8] == "#sourceLocation(file: \"a.swift (selectors)\", line: 1)")
    }
}
