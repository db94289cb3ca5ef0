// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import ExtensionBuild

/// A storyboard or xib around elements under test.
enum StoryboardText {
    static let rect = "<rect key=\"frame\" x=\"0.0\" y=\"0.0\" width=\"320\" height=\"37\"/>"

    /// A storyboard of one scene: `views` in the root view, `root` beside them, `controller` and `objects` outside.
    static func storyboard(
        views: String = "",
        root: String = "",
        controller: String = "",
        objects: String = "",
        resources: String = "",
        customClass: String? = nil
    ) -> String {
        let name = customClass.map { " customClass=\"\($0)\"" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" \
            initialViewController="c">
            <scenes><scene sceneID="s"><objects>
            <viewController id="c"\(name) sceneMemberID="viewController">
            <view key="view" id="r"><subviews>\(views)</subviews>\(root)<viewLayoutGuide key="safeArea" id="s"/></view>
            \(controller)</viewController>
            <placeholder placeholderIdentifier="IBFirstResponder" id="f" sceneMemberID="firstResponder"/>
            \(objects)</objects></scene></scenes><resources>\(resources)</resources></document>
            """
    }

    static func xib(objects: String, owner: String? = nil, connections: String = "") -> String {
        let name = owner.map { " customClass=\"\($0)\"" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0"><objects>
            <placeholder placeholderIdentifier="IBFilesOwner" id="-1" userLabel="File's Owner"\(name)>
            <connections>\(connections)</connections></placeholder>
            <placeholder placeholderIdentifier="IBFirstResponder" id="-2" customClass="UIResponder"/>
            \(objects)</objects></document>
            """
    }
}

/// The source that a storyboard becomes, by lines.
struct GeneratedSource {
    let source: String
    /// The lines without indentation.
    let lines: [String]
    let troubles: [String]

    init(
        _ text: String,
        classes: [InterfaceClass] = [],
        options: InterfaceOptions = .init(),
        path: String = "Main.storyboard"
    ) throws {
        let output = try Storyboard(path: path, contents: Data(text.utf8)).swift(classes: classes, options: options)
        source = output.source
        lines = output.source.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        troubles = output.troubles.map(\.description)
    }

    /// The statements in the closure that sets an object's properties.
    func statements(of variable: String) -> [String] {
        guard let start = lines.firstIndex(where: { $0.hasPrefix("let \(variable) = NibCoder.") }) else {
            return []
        }
        var depth = 0
        return Array(
            lines[(start + 1)...].prefix {
                if $0.hasSuffix("{") || $0.hasSuffix(" in") { depth += 1 }
                if $0 == "}" { depth -= 1 }
                return depth >= 0
            }
        )
    }

    /// The lines behind the one that gives the controller its view.
    var end: [String] {
        let start = lines.firstIndex { $0.hasPrefix("owner.view = ") } ?? lines.endIndex
        return lines[start...].dropFirst().prefix { !$0.hasPrefix("return") }.map { $0 }
    }
}
