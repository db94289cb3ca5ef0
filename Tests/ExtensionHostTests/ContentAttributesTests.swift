// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Testing

@testable import ExtensionHost

/// The attributes of a content extension, as Xcode writes them and otherwise.
struct ContentAttributesTests {
    private static let category = "UNNotificationExtensionCategory"
    private static let ratio = "UNNotificationExtensionInitialContentSizeRatio"

    @Test func `one category or several, and Apple's defaults`() throws {
        let one = try ContentAttributes([Self.category: "photo", Self.ratio: 1], file: "Info.plist")
        #expect(one.categories == ["photo"])
        #expect(one.initialSizeRatio == 1)
        #expect(!one.hidesDefaultContent && !one.overridesTitle && !one.takesInteraction)
        let several = try ContentAttributes(
            [
                Self.category: ["photo", "logo"], Self.ratio: 0.6, "UNNotificationExtensionDefaultContentHidden": true,
                "UNNotificationExtensionOverridesDefaultTitle": true,
                "UNNotificationExtensionUserInteractionEnabled": true,
            ],
            file: "Info.plist"
        )
        #expect(several.categories == ["photo", "logo"])
        #expect(several.initialSizeRatio == 0.6)
        #expect(several.hidesDefaultContent && several.overridesTitle && several.takesInteraction)
    }

    @Test func `without a category or a ratio it is refused`() {
        let noCategory = CommandError(
            "Info.plist: UNNotificationExtensionCategory is missing, or no text and no list of texts",
            hint: "write the identifier of the category whose notifications the extension shows"
        )
        for value in [nil, "", [], ["photo", ""], [1], 7] as [Any?] {
            var values: [String: Any] = [Self.ratio: 1]
            values[Self.category] = value
            #expect(throws: noCategory) { try ContentAttributes(values, file: "Info.plist") }
        }
        let noRatio = CommandError(
            "Info.plist: UNNotificationExtensionInitialContentSizeRatio is missing or no number of 0 to 2",
            hint: "write the height of the view over its width, such as 1"
        )
        for value in [nil, "1", -0.1, 2.1, Double.nan, Double.infinity] as [Any?] {
            var values: [String: Any] = [Self.category: "photo"]
            values[Self.ratio] = value
            #expect(throws: noRatio) { try ContentAttributes(values, file: "Info.plist") }
        }
    }
}
