// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// Classes of the sources, as a storyboard learns of them.
struct ClassDeclarationTests {
    private static func classes(_ sources: String...) -> [ClassDeclaration] {
        let named = sources.enumerated().map { ("\($0).swift", Array($1.utf8)) }
        return RewrittenSources(Dictionary(uniqueKeysWithValues: named)).classes
    }

    @Test func `a class has its head`() throws {
        let found = Self.classes(
            "import class UIKit.UIView\n@objc(B)\npublic final class A: Module.Base<C, D>, P, Q where X: Y {}"
        )
        let only = try #require(found.first)
        #expect(found.count == 1)
        #expect(only.name == "A" && only.objectiveCName == "B" && only.access == "public" && only.line == 3)
        #expect(only.superclass == "Module.Base<C, D>" && only.protocols == ["P", "Q"])
    }

    @Test(arguments: [
        ("class A {}", nil, []), ("class A: B {}", "B", []), ("class A: P {}\nprotocol P: class {}", nil, ["P"]),
        ("class A: UITableViewDelegate {}", nil, ["UITableViewDelegate"]),
        ("class A: B {}\nextension A: C, D {}", "B", ["C", "D"]),
    ])
    func `a superclass is told from protocols`(source: String, superclass: String?, protocols: [String]) {
        let first = Self.classes(source).first
        #expect(first?.superclass == superclass)
        #expect(first?.protocols == protocols)
    }

    @Test(arguments: [
        ("@IBOutlet weak var a: UILabel!", ["a UILabel"]),
        ("@IBOutlet var a: [UIView]!", ["a [UIView] of UIView"]),
        ("@IBOutlet private(set) weak var a : UILabel ?", ["a UILabel"]),
        ("@IBOutlet var a, b: UIView!, c: UILabel!", ["a UIView", "b UIView", "c UILabel"]),
        ("@IBOutlet weak var a: UILabel! { didSet { x = 1 } }\nvar b: Int", ["a UILabel"]),
        ("@IBOutlet\nvar a: UILabel! // b\nvar b: Int", ["a UILabel"]),
        ("@IBOutlet var a: Module.View<Int>? = nil", ["a Module.View<Int>"]),
        ("@IBOutlet var `in`: UILabel!", ["in UILabel"]),
        ("#if os(iOS)\n@IBOutlet\n#endif\nvar a: UILabel!", ["a UILabel"]),
        ("var a: UILabel!; // @IBOutlet", []),
    ])
    func `outlets have a name and a type`(member: String, outlets: [String]) {
        let found = Self.classes("class A {\n\(member)\n}").first?.outlets ?? []
        #expect(found.map { "\($0.name) \($0.type)" + ($0.element.map { " of \($0)" } ?? "") } == outlets)
    }

    @Test func `extensions belong to their class, also those of other files`() {
        let classes = Self.classes(
            "extension A { @objc func c(_ d: [String: Any]?, e: (Int, Int) = (1, 2)) async throws -> Int {} }",
            "enum N { class A { @IBInspectable var b: CGFloat = 1 } }\nclass A { @IBAction func f() {} }"
        )
        #expect(classes.map(\.name) == ["N.A", "A"])
        #expect(classes.map { $0.inspectables.map(\.name) } == [["b"], []])
        let function = classes.last?.functions.last
        #expect(classes.last?.functions.map(\.title) == ["f()", "c(_:e:)"])
        #expect(function?.parameterTypes == ["[String: Any]?", "(Int, Int)"])
        #expect(function?.isAsync == true && function?.isThrowing == true && function?.isStatic == false)
    }

    @Test func `extensions of another module's class are one entry`() {
        let classes = Self.classes(
            "extension UIView: P { @IBInspectable var radius: CGFloat { get { 1 } set {} }; "
                + "@IBInspectable var fixed: CGFloat { set.count } }",
            "class A {}\nextension UIView { @objc func fade() {} }\nenum B {}\nextension B { func c() {} }"
        )
        #expect(classes.map(\.name) == ["UIView", "A"])
        #expect(classes.map(\.isForeign) == [true, false])
        #expect(classes[0].superclass == nil && classes[0].protocols == ["P"])
        #expect(classes[0].inspectables.map(\.name) == ["radius"])
        #expect(classes[0].functions.map(\.title) == ["fade()"])
    }

    @Test func `functions of members' bodies are no members`() {
        let source = """
            class A {
                var a: Int { func no() {}; return { class No { @objc func no() {} }; return 1 }() }
                func b(c: () -> Void = { func no() {} }) { @objc func no() {} }
                @objc func d(class: Int, extension x: Int) {}
            }
            """
        #expect(Self.classes(source).map(\.name) == ["A", "No"])
        #expect(Self.classes(source).first?.functions.map(\.title) == ["d(class:extension:)"])
    }
}
