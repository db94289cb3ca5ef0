// SPDX-License-Identifier: Apache-2.0

/// A function of Apple's classes that selectors name without its labels, or whose name does not follow Swift's rule.
struct AppleFunction {
    let name: String
    let labels: [String]
    /// The types of the parameters.
    let types: [String]
    /// The name for Objective-C, where it is not the one of Swift's rule.
    var selector: String?
    /// False for one that the classes do not have here: it has a name, and nobody calls it.
    var isThere = true

    private static func one(_ name: String, _ type: String = "Bool") -> AppleFunction {
        AppleFunction(name: name, labels: ["_"], types: [type])
    }

    private static func edit(_ name: String) -> AppleFunction {
        AppleFunction(name: name, labels: ["_"], types: ["Any?"], isThere: false)
    }

    /// Source: Apple, "UIView", "UIViewController", "UIResponder" and "UIResponderStandardEditActions".
    private static let all: [AppleFunction] = [
        one("endEditing"), one("viewWillAppear"), one("viewDidAppear"), one("viewWillDisappear"),
        one("viewDidDisappear"), one("addSubview", "UIView"), one("bringSubviewToFront", "UIView"),
        one("sendSubviewToBack", "UIView"),
        AppleFunction(name: "canPerformAction", labels: ["_", "withSender"], types: ["Selector", "Any?"]),
        AppleFunction(
            name: "dismiss",
            labels: ["animated", "completion"],
            types: ["Bool", "(() -> Void)?"],
            selector: "dismissViewControllerAnimated:completion:"
        ),
        edit("copy"), edit("cut"), edit("delete"), edit("paste"), edit("select"), edit("selectAll"),
    ]

    /// The function of that name; with labels, the one that has them.
    static func named(_ name: String, labels: [String]?) -> AppleFunction? {
        all.first { $0.name == name && (labels == nil || $0.labels == labels) }
    }

    /// Tells whether a name is that of a protocol of Apple's, by the words with which those end.
    static func isProtocol(_ name: String) -> Bool {
        ["Delegate", "DataSource", "Protocol", "StandardEditActions"].contains { name.hasSuffix($0) }
    }

    /// The class and those above it, whose extensions add to it; an unknown class may be any below UIKit's first ones.
    static func classes(above name: String) -> Set<String> {
        let name = name.split(separator: ".").last.map(String.init) ?? name
        var found: Set<String> = [name, "NSObject"]
        guard var next = UIKitClass.named(name) else {
            return name.hasPrefix("UI") ? found.union(["UIResponder", "UIView", "UIViewController"]) : found
        }
        while let superclass = next.superclass.flatMap(UIKitClass.named), found.count < 64 {
            found.insert(superclass.name)
            next = superclass
        }
        return found
    }
}
