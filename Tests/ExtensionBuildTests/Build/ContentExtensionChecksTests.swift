// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Content extensions that a build refuses, each with its line and the next step.
@Suite final class ContentExtensionChecksTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checks-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private static let attributes = """
        <key>UNNotificationExtensionCategory</key>
        <string>photo</string>
        <key>UNNotificationExtensionInitialContentSizeRatio</key>
        <real>0.9</real>
        """
    private static let storyboard = "<key>NSExtensionMainStoryboard</key>\n<string>Main</string>"
    private static let controller = "class Card: UIViewController, UNNotificationContentExtension {}"

    private func write(_ text: String, _ name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    private func information(_ attributes: String = attributes, start: String = storyboard) throws -> BundleInformation
    {
        let text = """
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.chat.view</string>
            <key>NSExtension</key><dict>
            <key>NSExtensionPointIdentifier</key><string>com.apple.usernotifications.content-extension</string>
            <key>NSExtensionAttributes</key><dict>
            \(attributes)
            </dict>
            \(start)
            </dict></dict></plist>
            """
        let settings = BuildSettings(
            product: "Card",
            module: "Card",
            identifier: nil,
            language: "en",
            overrides: [:]
        )
        return try BundleInformation(
            PropertyListFile(path: write(text, "Info.plist"), settings: settings),
            product: "Card",
            module: nil,
            identifier: nil,
            language: "en",
            entitlements: .none
        )
    }

    /// The error of `body`, with the folder's path as "F".
    private func refusal(_ body: () throws -> Void) -> CommandError? {
        do {
            try body()
            return nil
        } catch let error as CommandError {
            let short = { (text: String) in text.replacing(self.folder.path, with: "F") }
            return CommandError(short(error.message), hint: error.hint.map(short))
        } catch {
            return nil
        }
    }

    @Test("a category and a first height are needed, at the line of their key")
    func attributes() throws {
        let category = "<key>UNNotificationExtensionCategory</key>\n"
        let ratio = "<key>UNNotificationExtensionInitialContentSizeRatio</key>\n"
        let both = [
            "":
                "F/Info.plist:5: UNNotificationExtensionCategory is missing: no notification would be shown by the "
                + "extension",
            "\(category)<true/>":
                "F/Info.plist:7: UNNotificationExtensionCategory is neither a text nor a list of texts "
                + "with one at least",
            "\(category)<array/>":
                "F/Info.plist:7: UNNotificationExtensionCategory is neither a text nor a list of texts "
                + "with one at least",
            "\(category)<string></string>":
                "F/Info.plist:7: UNNotificationExtensionCategory has 1 identifiers, 1 to 64 "
                + "of 1 to 256 bytes each are possible",
            "\(category)<string>a</string>":
                "F/Info.plist:5: UNNotificationExtensionInitialContentSizeRatio is missing: "
                + "nothing says how high the view is at first",
            "\(category)<string>a</string>\(ratio)<true/>": "F/Info.plist:8: "
                + "UNNotificationExtensionInitialContentSizeRatio is no number of 0 to 2",
            "\(category)<string>a</string>\(ratio)<real>-0.1</real>": "F/Info.plist:8: "
                + "UNNotificationExtensionInitialContentSizeRatio is no number of 0 to 2",
            "\(category)<string>a</string>\(ratio)<string>1</string>": "F/Info.plist:8: "
                + "UNNotificationExtensionInitialContentSizeRatio is no number of 0 to 2",
            "\(category)<string>a</string>\(ratio)<real>2.1</real>": "F/Info.plist:8: "
                + "UNNotificationExtensionInitialContentSizeRatio is no number of 0 to 2",
        ]
        for (attributes, message) in both {
            let error = refusal { _ = try self.information(attributes) }
            #expect(error?.message == message)
            #expect(error?.hint?.isEmpty == false)
        }
        for ratio in ["<integer>1</integer>", "<real>0.05</real>", "<real>2</real>"] {
            let good = Self.attributes.replacing("<real>0.9</real>", with: ratio)
            #expect(refusal { _ = try self.information(good) } == nil, "\(ratio)")
        }
        let list = Self.attributes.replacing("<string>photo</string>", with: "<array><string>a</string></array>")
        #expect(refusal { _ = try self.information(list) } == nil)
    }

    private func inputs(
        _ sources: [String: String],
        start: String = storyboard,
        board: String? = StoryboardText.storyboard(customClass: "Card")
    ) throws -> BuildInputs {
        for (name, text) in sources { _ = try write(text, "S/\(name)") }
        if let board { _ = try write(board, "S/Base.lproj/Main.storyboard") }
        let files = try ExtensionSources([folder.appendingPathComponent("S").path])
        return try BuildInputs(files, information: information(start: start))
    }

    @Test("a storyboard's controller shows notifications, by itself or by a class above it or an extension")
    func storyboardController() throws {
        for source in [
            Self.controller,
            "class Base: UIViewController {}; class Card: Base, UserNotificationsUI."
                + "UNNotificationContentExtension {}",
            "class Base: UIViewController, UNNotificationContentExtension {}; class Card: Base {}",
            "class Card: UIViewController {}; extension Card: @MainActor UNNotificationContentExtension {}",
            "protocol Shown: UNNotificationContentExtension {}; class Card: UIViewController, Shown {}",
            "class Card: UIViewController, Shown {}; typealias Shown = UNNotificationContentExtension",
        ] {
            #expect(refusal { _ = try self.inputs(["Card.swift": source]) } == nil, "\(source)")
        }
        let error = refusal { _ = try self.inputs(["Card.swift": "// The card.\nclass Card: UIViewController {}"]) }
        #expect(
            error
                == CommandError(
                    "F/S/Base.lproj/Main.storyboard:4: the class \"Card\" of the initial view controller does not "
                        + "conform to UNNotificationContentExtension, so that no notification reaches it",
                    hint: "write at F/S/Card.swift:2: class Card: UIViewController, UNNotificationContentExtension"
                )
        )
        let plain = refusal {
            _ = try self.inputs(["Card.swift": Self.controller], board: StoryboardText.storyboard())
        }
        #expect(
            plain?.message == "F/S/Base.lproj/Main.storyboard:4: the class \"UIViewController\" of the initial view "
                + "controller does not conform to UNNotificationContentExtension, so that no notification reaches it"
        )
        #expect(plain?.hint == "name a class of the sources that conforms to it")
    }

    @Test("a principal class shows notifications, or is none of a view controller's")
    func principalClass() throws {
        let start = "<key>NSExtensionPrincipalClass</key>\n<string>Card</string>"
        let error = refusal {
            _ = try self.inputs(["Card.swift": "class Card: UIViewController {}"], start: start, board: nil)
        }
        #expect(
            error?.message == "F/Info.plist:12: the class \"Card\" of NSExtensionPrincipalClass does not conform to "
                + "UNNotificationContentExtension, so that no notification reaches it"
        )
        for source in [Self.controller, "struct Card: NotificationScene {}", "class Card: Foreign {}"] {
            #expect(refusal { _ = try self.inputs(["Card.swift": source], start: start, board: nil) } == nil)
        }
    }

    @Test("without a storyboard and a class the one view controller of the sources counts")
    func onlyController() throws {
        #expect(refusal { _ = try self.inputs(["Card.swift": Self.controller], start: "", board: nil) } == nil)
        let none = refusal { _ = try self.inputs(["Card.swift": "class Card {}"], start: "", board: nil) }
        #expect(
            none?.message == "F/Info.plist:3: NSExtension has neither NSExtensionMainStoryboard nor "
                + "NSExtensionPrincipalClass, and no view controller of the sources conforms to "
                + "UNNotificationContentExtension"
        )
        let two = Self.controller + "\n" + Self.controller.replacing("Card", with: "Other")
        let several = refusal { _ = try self.inputs(["Card.swift": two], start: "", board: nil) }
        #expect(
            several
                == CommandError(
                    "F/Info.plist:3: NSExtension names neither a storyboard nor a class, and 2 view controllers could "
                        + "be meant: Card (F/S/Card.swift:1), Other (F/S/Card.swift:2)",
                    hint: "name the one with NSExtensionPrincipalClass: $(PRODUCT_MODULE_NAME).Card"
                )
        )
    }

    @Test("the main storyboard is there and has an initial controller; others may have none")
    func mainStoryboard() throws {
        let missing = refusal { _ = try self.inputs(["Card.swift": Self.controller], board: nil) }
        #expect(
            missing?.message
                == "F/Info.plist:12: NSExtensionMainStoryboard is \"Main\", and there is no Main.storyboard with the "
                + "sources"
        )
        let board = StoryboardText.storyboard(customClass: "Card").replacing("initialViewController=\"c\"", with: "")
        let unset = refusal { _ = try self.inputs(["Card.swift": Self.controller], board: board) }
        #expect(unset?.message == "\"F/S/Base.lproj/Main.storyboard\" does not fit the sources, see above")
        _ = try write(board, "S/Other.storyboard")
        #expect(refusal { _ = try self.inputs(["Card.swift": Self.controller]) } == nil)
    }

    @Test("a category that a bundle of the same app beside it has is refused inside an app, and named elsewhere")
    func claims() throws {
        let own = try information(Self.attributes)
        let text = try String(contentsOfFile: own.startFile, encoding: .utf8)
        for folder in ["out", "PlugIns"] {
            for (name, identifier, category) in [
                ("Foreign", "com.example.other.view", "photo"), ("Quiet", "com.example.chat.quiet", "text"),
                ("Older", "com.example.chat.view", "photo"), ("View", "com.example.chat.view", "photo"),
            ] {
                let other = text.replacing("com.example.chat.view", with: identifier)
                    .replacing("photo", with: category)
                _ = try write(other, "\(folder)/\(name).appex/Info.plist")
            }
            let place = self.folder.appendingPathComponent("\(folder)/View.appex")
            #expect(CategoryClaims.clash(of: own, at: place) == nil)
            _ = try write(text.replacing("chat.view", with: "chat.album"), "\(folder)/Album.appex/Info.plist")
            let error = CommandError(
                "F/Info.plist:7: the category \"photo\" is that of \"F/\(folder)/Album.appex\" too, an extension of "
                    + "the same app: iOS would show one of them, and does not say which",
                hint: "give each extension categories of its own, or remove the other bundle"
            )
            #expect(refusal { if let clash = CategoryClaims.clash(of: own, at: place) { throw clash } } == error)
            #expect(refusal { try CategoryClaims.check(own, at: place) } == (folder == "out" ? nil : error))
        }
    }
}
