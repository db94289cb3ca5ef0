// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The categories that the content extensions of one app share out among them.
///
/// A build sees the bundles that lie beside the one that it makes, and no others.
enum CategoryClaims {
    /// The bundles that are looked at, in the order of their names.
    static let bundleLimit = 500

    /// Refuses a category that another extension of the app has, where the bundle is made inside the app; elsewhere,
    /// where bundles may lie that never meet in an app, it is a warning.
    static func check(_ information: BundleInformation, at place: URL) throws(CommandError) {
        guard let clash = clash(of: information, at: place) else { return }
        let folder = place.deletingLastPathComponent()
        guard folder.lastPathComponent == "PlugIns" || folder.pathExtension == "app" else {
            return Terminal.warning(clash.message)
        }
        throw clash
    }

    /// A category that another content extension of the same app, in the same folder, has as well; nil without one.
    ///
    /// Bundles that cannot be read are none of the app's, and one of the same identifier is the same extension.
    static func clash(of information: BundleInformation, at place: URL) -> CommandError? {
        guard information.point == .content else { return nil }
        let own = Set(categories(of: information.values))
        let folder = place.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let bundles = names.filter { $0.hasSuffix(".appex") && !$0.hasPrefix(".") && $0 != place.lastPathComponent }
        for name in bundles.sorted().prefix(bundleLimit) {
            let bundle = folder.appendingPathComponent(name).path
            guard let values = values(ofBundle: bundle), app(of: values) == app(of: information.values),
                values["CFBundleIdentifier"] as? String != information.identifier,
                let shared = categories(of: values).first(where: own.contains)
            else { continue }
            let place = "\(information.startFile):\(information.line(of: ContentExtensionKeys.category))"
            return CommandError(
                "\(place): the category \"\(shared)\" is that of \"\(bundle)\" too, an extension of the same app: "
                    + "iOS would show one of them, and does not say which",
                hint: "give each extension categories of its own, or remove the other bundle"
            )
        }
        return nil
    }

    private static func values(ofBundle bundle: String) -> [String: Any]? {
        let data = try? BundleFile.contents(
            of: bundle + "/Info.plist",
            below: bundle,
            atMost: BundleFile.propertyListByteCountLimit
        )
        return data.flatMap { try? PropertyList.value(of: $0) as? [String: Any] }
    }

    /// The identifier of the app: that of the extension without its last component.
    private static func app(of values: [String: Any]) -> String? {
        let identifier = values["CFBundleIdentifier"] as? String
        return identifier.flatMap { text in text.lastIndex(of: ".").map { String(text[..<$0]) } }
    }

    /// The categories of a content extension; none for other bundles.
    private static func categories(of values: [String: Any]) -> [String] {
        guard let service = values["NSExtension"] as? [String: Any],
            service["NSExtensionPointIdentifier"] as? String == ExtensionPoint.content.rawValue
        else { return [] }
        let attributes = service["NSExtensionAttributes"] as? [String: Any]
        return ContentExtensionKeys.categories(attributes?[ContentExtensionKeys.category]) ?? []
    }
}
