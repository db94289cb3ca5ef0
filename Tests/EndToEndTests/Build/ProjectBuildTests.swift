// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import ProjectFixtures
import Testing

/// Projects of Xcode in the shapes of its templates, built by the real program and run.
@Suite(.timeLimit(.minutes(15)))
struct ProjectBuildTests {
    private static let push = #"{"aps":{"alert":{"title":"Alice"},"mutable-content":1}}"#

    private func build(_ arguments: [String], in folder: URL) async throws -> CommandResult {
        try await CommandResult.run(
            Programs.extensionHost,
            ["build"] + arguments + ["-o", folder.path + "/Made.appex"]
        )
    }

    /// The title of a push that the made bundle has changed.
    private func title(in folder: URL) async throws -> JSON? {
        let file = folder.appendingPathComponent("push.json")
        try Data(Self.push.utf8).write(to: file)
        return Record(object: try await HostRun(folder.path + "/Made.appex", file.path, []).record).alert?["title"]
    }

    /// The Info.plist of the made bundle.
    private func information(in folder: URL) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appendingPathComponent("Made.appex/Info.plist"))
        return try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] ?? [:]
    }

    @Test func `a project of Xcode 13 with groups, a generated list and a chain of configuration files is built`()
        async throws
    {
        let fixture = try ProjectFixture()
        try fixture.write(
            ProjectFixture.information(more: "\t<key>Greeting</key>\n\t<string>$(GREETING)$(NOBODY)</string>\n"),
            "Service/Info.plist"
        )
        try fixture.write(ProjectFixture.service("\" \" + suffix"), "Service/NotificationService.swift")
        try fixture.write(
            "#if STAGING\nlet suffix = \"staging\"\n#elseif BETA\nlet suffix = \"beta\"\n#endif\n",
            "Elsewhere/Suffix.swift"
        )
        try fixture.write("#include \"Base.xcconfig\"\nGREETING = Hello $(WHO)\n", "Config/Service.xcconfig")
        try fixture.write("WHO = world // of all\nBUNDLE_ID = com.example.chat\n", "Config/Base.xcconfig")
        let service = fixture.file("NotificationService.swift")
        _ = fixture.group("Service", [service, fixture.file("Info.plist")])
        let suffix = fixture.file("Elsewhere/Suffix.swift", tree: "SOURCE_ROOT")
        _ = fixture.group("Names", [suffix])
        let configuration = fixture.file("Service.xcconfig")
        _ = fixture.group("Config", [configuration])
        fixture.target("Chat", type: "com.apple.product-type.application")
        fixture.target(
            "Service",
            phases: [fixture.phase("PBXSourcesBuildPhase", [service, suffix])],
            [
                ("GENERATE_INFOPLIST_FILE", "YES"), ("INFOPLIST_FILE", "Service/Info.plist"),
                ("INFOPLIST_KEY_CFBundleDisplayName", "$(WHO) news"), ("MARKETING_VERSION", "2.5"),
                ("PRODUCT_BUNDLE_IDENTIFIER", "$(BUNDLE_ID).$(TARGET_NAME:lower)"), ("PRODUCT_NAME", "$(TARGET_NAME)"),
                ("SWIFT_ACTIVE_COMPILATION_CONDITIONS", ["STAGING"]),
            ],
            release: [("SWIFT_ACTIVE_COMPILATION_CONDITIONS", "BETA")],
            file: configuration
        )
        try fixture.save()
        let built = try await build([fixture.project.path], in: fixture.folder)
        #expect(
            built.errors
                == "extension-host: warning: \(fixture.folder.path)/Service/Info.plist: $(NOBODY) is no build setting of the "
                + "target Service, and nothing stands in its place; say it with --setting NOBODY=VALUE\n"
                + "extension-host: made \(fixture.folder.path)/Made.appex\n"
        )
        try #require(built.status == 0)
        let values = try information(in: fixture.folder)
        #expect(values["CFBundleIdentifier"] as? String == "com.example.chat.service")
        #expect(values["CFBundleDisplayName"] as? String == "world news")
        #expect(values["CFBundleShortVersionString"] as? String == "2.5")
        #expect(values["Greeting"] as? String == "Hello world")
        #expect(try await title(in: fixture.folder) == "Alice beta")
        let debug = try await build([fixture.project.path, "--configuration", "Debug"], in: fixture.folder)
        try #require(debug.status == 0, "\(debug.errors)")
        #expect(try await title(in: fixture.folder) == "Alice staging")
    }

    @Test func `a project of Xcode 26 with folders that it keeps in step is built, and its folder finds it`()
        async throws
    {
        let fixture = try ProjectFixture()
        fixture.settings = [
            ("SWIFT_VERSION", "6.0"), ("SWIFT_APPROACHABLE_CONCURRENCY", "YES"),
            ("SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY", "YES"),
        ]
        try fixture.write(ProjectFixture.information(), "NotificationService/Info.plist")
        try fixture.write(ProjectFixture.service("Shared.suffix"), "NotificationService/NotificationService.swift")
        try fixture.write("enum Shared { static let suffix = \" shared\" }\n", "Chat/Shared/Shared.swift")
        try fixture.write("import SwiftUI\n@main struct ChatApp: App {}\n", "Chat/ChatApp.swift")
        let service = fixture.target(
            "NotificationService",
            [
                ("GENERATE_INFOPLIST_FILE", "YES"), ("INFOPLIST_FILE", "NotificationService/Info.plist"),
                ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.Chat.NotificationService"),
                ("PRODUCT_NAME", "$(TARGET_NAME)"),
            ]
        )
        func folder(_ path: String, _ exception: String) -> String {
            let set = fixture.add(
                "PBXFileSystemSynchronizedBuildFileExceptionSet",
                "",
                [("membershipExceptions", .list([.text(exception)])), ("target", .text(service))]
            )
            return fixture.add(
                "PBXFileSystemSynchronizedRootGroup",
                path,
                [("exceptions", .list([.text(set)])), ("path", .text(path)), ("sourceTree", "<group>")]
            )
        }
        let own = folder("NotificationService", "Info.plist")
        fixture.change(service, "fileSystemSynchronizedGroups", .list([.text(own)]))
        fixture.addTop(own)
        fixture.addTop(folder("Chat", "Shared/Shared.swift"))
        try fixture.save()
        let sources = fixture.folder.path + "/NotificationService"
        let built = try await build([sources], in: fixture.folder)
        #expect(
            built.errors
                == "extension-host: \"\(sources)\" is built as the target NotificationService of \(fixture.project.path)\n"
                + "extension-host: made \(fixture.folder.path)/Made.appex\n"
        )
        #expect(try await title(in: fixture.folder) == "Alice shared")
        let again = try await build([fixture.folder.path], in: fixture.folder)
        #expect(again.errors == "extension-host: \(fixture.folder.path)/Made.appex is up to date\n")
    }

    @Test func `a framework of the project is compiled as its module, with what stands behind it`() async throws {
        let fixture = try ProjectFixture()
        try fixture.write(ProjectFixture.information(), "Service/Info.plist")
        try fixture.write(
            "import Foundation\nimport Words\n" + ProjectFixture.service("Words.Suffix().text + words()"),
            "Service/NotificationService.swift"
        )
        try fixture.write(
            """
            import Foundation
            import Signs
            public class Suffix: NSObject {
                public var text: String { value(forSelector: #selector(sign)) }
                @objc func sign() -> String { Signs.sign }
                private func value(forSelector selector: Selector) -> String {
                    responds(to: selector) ? perform(selector).takeUnretainedValue() as? String ?? "none" : "unknown"
                }
            }
            public func words() -> String {
                Bundle.main.path(forResource: "words", ofType: "txt").flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
            }
            """,
            "Words/Suffix.swift"
        )
        try fixture.write(" from a file", "Words/words.txt")
        try fixture.write("public let sign = \"!\"\n", "Signs/Sign.swift")
        var products: [String: String] = [:]
        var targets: [String: String] = [:]
        for (name, resources, below) in [("Signs", [], []), ("Words", ["words.txt"], ["Signs"])]
            as [(String, [String], [String])]
        {
            let product = fixture.add(
                "PBXFileReference",
                "\(name).framework",
                [("path", .text("\(name).framework")), ("sourceTree", "BUILT_PRODUCTS_DIR")]
            )
            products[name] = product
            let source = fixture.file(name == "Words" ? "Suffix.swift" : "Sign.swift")
            let files = resources.map { fixture.file($0) }
            _ = fixture.group(name, [source] + files)
            targets[name] = fixture.target(
                name,
                type: "com.apple.product-type.framework",
                phases: [
                    fixture.phase("PBXSourcesBuildPhase", [source]), fixture.phase("PBXResourcesBuildPhase", files),
                    fixture.phase("PBXFrameworksBuildPhase", below.compactMap { products[$0] }),
                ],
                [("PRODUCT_NAME", "$(TARGET_NAME)")],
                [("productReference", .text(product))]
            )
        }
        let source = fixture.file("NotificationService.swift")
        _ = fixture.group("Service", [source])
        fixture.target(
            "Service",
            phases: [
                fixture.phase("PBXSourcesBuildPhase", [source]),
                fixture.phase("PBXFrameworksBuildPhase", ["Words"].compactMap { products[$0] }),
            ],
            [
                ("INFOPLIST_FILE", "Service/Info.plist"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"),
                ("GENERATE_INFOPLIST_FILE", "YES"),
            ]
        )
        try fixture.save()
        let built = try await build([fixture.project.path], in: fixture.folder)
        #expect(built.errors == "extension-host: made \(fixture.folder.path)/Made.appex\n")
        try #require(built.status == 0)
        #expect(try await title(in: fixture.folder) == "Alice! from a file")
        let service = fixture.folder.path + "/Service"
        let arguments = [
            service, "--module", "Words=\(fixture.folder.path)/Words", "--module", "Signs=\(fixture.folder.path)/Signs",
            "--identifier", "com.example.chat.service",
        ]
        try FileManager.default.removeItem(at: fixture.project)
        let folders = try await build(arguments, in: fixture.folder)
        #expect(folders.errors == "extension-host: made \(fixture.folder.path)/Made.appex\n")
        #expect(try await title(in: fixture.folder) == "Alice! from a file")
    }

    @Test func `what a target has and nobody builds here is named, with its place and the next step`() async throws {
        let fixture = try ProjectFixture()
        try fixture.write(ProjectFixture.information(), "Service/Info.plist")
        try fixture.write(
            ProjectFixture.service("CC_SHA256_DIGEST_LENGTH == 32 ? \" [here]\" : kSecClass as String"),
            "Service/NotificationService.swift"
        )
        try fixture.write("@implementation A @end\n", "Service/Old.m")
        try fixture.write(
            "// #import \"None.h\"\n#import <CommonCrypto/CommonCrypto.h>\n@import Security;\n#import \"Old.h\" /* here */\n",
            "Service/Service-Bridging-Header.h"
        )
        let files = ["NotificationService.swift", "Old.m"].map { fixture.file($0) }
        _ = fixture.group("Service", files)
        let settings: [(String, ProjectValue)] = [
            ("INFOPLIST_FILE", "Service/Info.plist"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"),
            ("OTHER_SWIFT_FLAGS", "$(inherited) -DEXTRA -Xfrontend -warn-long-function-bodies=200"),
            ("GENERATE_INFOPLIST_FILE", "YES"),
            ("SWIFT_OBJC_BRIDGING_HEADER", "Service/Service-Bridging-Header.h"),
        ]
        let target = fixture.target("Service", phases: [fixture.phase("PBXSourcesBuildPhase", files)], settings)
        try fixture.save()
        let path = "\(fixture.project.path)/project.pbxproj"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let line =
            text.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("\(target) /* Service */ = {") }.map { $0 + 1 } ?? 0
        let built = try await build([fixture.project.path], in: fixture.folder)
        #expect(
            built.errors
                == "extension-host: warning: \(path):\(line): \"-Xfrontend -warn-long-function-bodies=200\" in "
                + "OTHER_SWIFT_FLAGS of Service is left out\n"
                + "extension-host: warning: \"\(fixture.folder.path)/Service/Old.m\" is left out: only Swift is compiled\n"
                + "extension-host: warning: \(fixture.folder.path)/Service/Service-Bridging-Header.h:4: \"Old.h\" is left out: "
                + "only Swift is compiled; write in Swift what the extension needs of it, or put that into "
                + "#if canImport(ObjectiveC)\n"
                + "extension-host: made \(fixture.folder.path)/Made.appex\n"
        )
        #expect(try await title(in: fixture.folder) == "Alice [here]")
        let explained = try await build([fixture.project.path, "--explain"], in: fixture.folder)
        #expect(explained.status == 0)
        #expect(
            explained.output == """
                target      Service of \(fixture.project.path), Release
                extension   com.example.chat.service, a service extension
                module      Service, in Swift 5
                Info.plist  \(fixture.folder.path)/Service/Info.plist
                flags       -DEXTRA
                sources     \(fixture.folder.path)/Service/NotificationService.swift
                left out    \(fixture.folder.path)/Service/Old.m

                """
        )
        let old = try await build([fixture.project.path, "--setting", "SWIFT_VERSION=3.0"], in: fixture.folder)
        #expect(
            old.errors.hasPrefix(
                "extension-host: warning: \(path):\(line): Service is in Swift 3.0, which no compiler reads any more, and is "
                    + "built as Swift 4; set SWIFT_VERSION to 5.0 in Xcode, or say --setting SWIFT_VERSION=5\n"
            )
        )
        #expect(old.status == 0)
    }

    @Test func `packages that the project names, and those of a folder of checkouts, are compiled as modules`()
        async throws
    {
        let fixture = try ProjectFixture()
        try fixture.write(ProjectFixture.information(), "Service/Info.plist")
        try fixture.write("import Kit\n" + ProjectFixture.service("Kit.suffix()"), "Service/NotificationService.swift")
        try fixture.write(
            """
            // swift-tools-version: 5.9
            import PackageDescription
            let package = Package(
                name: "Kit",
                products: [.library(name: "KitLibrary", targets: ["Kit"])],
                dependencies: [.package(url: "https://example.com/Far.git", from: "1.0.0")],
                targets: [
                    .target(
                        name: "Kit",
                        dependencies: ["Words", .product(name: "Far", package: "Far")],
                        exclude: ["Left.swift"],
                        resources: [.process("Resources")],
                        swiftSettings: [.define("KIT")]
                    ),
                    .target(name: "Words", path: "Other/Words"),
                ]
            )
            """,
            "Packages/Kit/Package.swift"
        )
        try fixture.write(
            """
            import Far
            import Foundation
            import Words
            public func suffix() -> String {
                let file = Bundle.module.url(forResource: "kit", withExtension: "txt")
                let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "none"
                #if KIT
                return Words.word + Far.far + text
                #else
                return "undefined"
                #endif
            }
            """,
            "Packages/Kit/Sources/Kit/Kit.swift"
        )
        try fixture.write("this is no Swift", "Packages/Kit/Sources/Kit/Left.swift")
        try fixture.write(" file", "Packages/Kit/Sources/Kit/Resources/kit.txt")
        try fixture.write("public let word = \" word\"\n", "Packages/Kit/Other/Words/Word.swift")
        try fixture.write(
            """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "Far",
                products: [.library(name: "Far", targets: ["Far", "CFar"])],
                targets: [.target(name: "Far"), .target(name: "CFar")]
            )
            """,
            "Checkouts/Far/Package.swift"
        )
        try fixture.write("public let far = \" far\"\n", "Checkouts/Far/Sources/Far/Far.swift")
        try fixture.write("int far;\n", "Checkouts/Far/Sources/CFar/far.c")
        let source = fixture.file("NotificationService.swift")
        _ = fixture.group("Service", [source])
        let product = fixture.add(
            "XCSwiftPackageProductDependency",
            "KitLibrary",
            [("productName", "KitLibrary")]
        )
        fixture.add("XCLocalSwiftPackageReference", "", [("relativePath", "Packages/Kit")])
        let link = fixture.add("PBXBuildFile", "", [("productRef", .text(product))])
        fixture.target(
            "Service",
            phases: [
                fixture.phase("PBXSourcesBuildPhase", [source]),
                fixture.add("PBXFrameworksBuildPhase", "", [("files", .list([.text(link)]))]),
            ],
            [
                ("INFOPLIST_FILE", "Service/Info.plist"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"),
                ("GENERATE_INFOPLIST_FILE", "YES"),
            ],
            [("packageProductDependencies", .list([.text(product)]))]
        )
        try fixture.save()
        let checkouts = fixture.folder.path + "/Checkouts"
        let built = try await build([fixture.project.path, "--packages", checkouts], in: fixture.folder)
        #expect(
            built.errors
                == "extension-host: warning: \(checkouts)/Far/Package.swift: the target CFar is left out: it has no Swift, "
                + "and only Swift is compiled\nextension-host: made \(fixture.folder.path)/Made.appex\n"
        )
        #expect(try await title(in: fixture.folder) == "Alice word far file")
        let without = try await build([fixture.project.path], in: fixture.folder)
        #expect(without.status == 1)
        #expect(
            without.errors.contains(
                "hint: \(fixture.folder.path)/Packages/Kit/Sources/Kit/Kit.swift:1: Far is no module of Apple's"
            )
        )
    }
}
