// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The Info.plist of the bundle that is built: the project's, with what Xcode adds and what the entitlements grant.
struct BundleInformation {
    /// The code with which the extension begins.
    enum Start: Equatable {
        /// A class by its name, without the module.
        case principalClass(String)
        /// The first controller of a storyboard, by the name of its file.
        case storyboard(String)
    }

    let point: ExtensionPoint
    /// The start that Info.plist names; nil in that of a content extension that leaves it to the sources.
    let start: Start?
    /// The file and the line that name the start, for the compiler to point at.
    let startFile: String
    let startLine: Int
    let identifier: String
    let module: String
    /// The language of development: of the texts that are in no folder of a language.
    let language: String
    let values: [String: Any]

    init(
        _ plist: PropertyListFile,
        product: String,
        module givenModule: String?,
        identifier given: String?,
        language: String,
        entitlements: Entitlements
    ) throws(CommandError) {
        self.language = language
        var values = plist.values
        let additions: [String: Any] = [
            "CFBundleExecutable": product, "CFBundleName": product, "CFBundlePackageType": "XPC!",
            "CFBundleInfoDictionaryVersion": "6.0", "CFBundleShortVersionString": "1.0", "CFBundleVersion": "1",
        ]
        values.merge(additions) { old, _ in old }
        // The table of this language is the one that Foundation reads on Linux.
        values["CFBundleDevelopmentRegion"] = language
        values["CFBundleExecutable"] = product
        if let given { values["CFBundleIdentifier"] = given }
        identifier = try Self.identifier(values["CFBundleIdentifier"], isOption: given != nil, plist)
        guard var service = values["NSExtension"] as? [String: Any] else {
            throw CommandError(
                "\(plist.path): NSExtension is missing: this is no extension's Info.plist",
                hint: "Xcode makes one with the target \"Notification Service Extension\""
            )
        }
        guard let point = (service["NSExtensionPointIdentifier"] as? String).flatMap(ExtensionPoint.init) else {
            throw CommandError(
                "\(plist.place(of: "NSExtensionPointIdentifier")): NSExtensionPointIdentifier is neither "
                    + ExtensionPoint.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " nor "),
                hint: "other kinds of extensions do not run here"
            )
        }
        self.point = point
        (start, module, startLine) = try Self.start(of: service, point, plist, product: product, module: givenModule)
        startFile = plist.path
        var attributes = service["NSExtensionAttributes"] as? [String: Any] ?? [:]
        attributes.merge(entitlements.attributes) { own, _ in own }
        if !attributes.isEmpty { service["NSExtensionAttributes"] = attributes }
        if point == .content { try ContentExtensionKeys.check(attributes, plist) }
        values["NSExtension"] = service
        self.values = values
        file = plist
    }

    /// The file that the values are from.
    private let file: PropertyListFile

    /// The line of a key's value in Info.plist, counted from 1; 1 when the key does not stand there.
    func line(of key: String) -> Int { file.line(of: key) }

    /// Finds what the extension begins with, its module, and the line that says so.
    private static func start(
        of service: [String: Any],
        _ point: ExtensionPoint,
        _ plist: PropertyListFile,
        product: String,
        module given: String?
    ) throws(CommandError) -> (Start?, module: String, line: Int) {
        let usual = given ?? BuildSettings.c99Identifier(product)
        if let name = service["NSExtensionMainStoryboard"] as? String, !name.isEmpty {
            guard point == .content else {
                throw CommandError(
                    "\(plist.place(of: "NSExtensionMainStoryboard")): a service extension has no storyboard",
                    hint: "name its class with NSExtensionPrincipalClass"
                )
            }
            return (.storyboard(name), usual, plist.line(of: "NSExtensionMainStoryboard"))
        }
        let hint = "it names the type: $(PRODUCT_MODULE_NAME).\(point.program.usualType)"
        guard let name = service["NSExtensionPrincipalClass"] as? String, !name.isEmpty else {
            if point == .content { return (nil, usual, plist.line(of: "NSExtension")) }
            throw CommandError("\(plist.place(of: "NSExtension")): NSExtensionPrincipalClass is missing", hint: hint)
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let place = plist.place(of: "NSExtensionPrincipalClass")
        guard parts.count <= 2, parts.allSatisfy(isName) else {
            throw CommandError(
                "\(place): NSExtensionPrincipalClass is \"\(name)\", no name of a class",
                hint: hint
            )
        }
        // A module that Info.plist spells out is the one that Xcode has under that name.
        let module = given ?? (parts.count == 2 ? parts[0] : usual)
        guard parts.count == 1 || parts[0] == module else {
            throw CommandError(
                "\(place): NSExtensionPrincipalClass is \"\(name)\", not a class of the module \"\(module)\"",
                hint: "write $(PRODUCT_MODULE_NAME).\(parts[1]), or leave out --module"
            )
        }
        return (.principalClass(parts[parts.count - 1]), module, plist.line(of: "NSExtensionPrincipalClass"))
    }

    /// True if the bundle lists hosts that its extension may reach.
    var listsHosts: Bool {
        let service = values["NSExtension"] as? [String: Any]
        let attributes = service?["NSExtensionAttributes"] as? [String: Any]
        return (attributes?["NetworkHosts"] as? [Any])?.isEmpty == false
    }

    /// Info.plist itself, with the stamp of the build.
    func xml(stamp: String) throws(CommandError) -> Data {
        var values = values
        values[BuildStamp.key] = stamp
        do {
            return try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        } catch {
            throw CommandError(
                "\(startFile): cannot be written again as XML: \(error.localizedDescription)",
                hint: "open the file in Xcode and save it again"
            )
        }
    }

    private static func identifier(
        _ value: Any?,
        isOption: Bool,
        _ plist: PropertyListFile
    ) throws(CommandError) -> String {
        guard let identifier = value as? String, !identifier.isEmpty else {
            throw CommandError(
                "\(plist.path): CFBundleIdentifier is missing",
                hint: "say it with --identifier, the app's and one component more: com.example.chat.service"
            )
        }
        let components = identifier.split(separator: ".", omittingEmptySubsequences: false)
        guard components.count > 1, !components.contains(where: \.isEmpty) else {
            throw CommandError(
                (isOption ? "--identifier" : "\(plist.place(of: "CFBundleIdentifier")): CFBundleIdentifier")
                    + " \"\(identifier)\" belongs to no app",
                hint: "an extension's identifier is its app's and one component more: com.example.chat.service"
            )
        }
        return identifier
    }

    private static func isName(_ text: String) -> Bool {
        text.first?.isNumber == false && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
