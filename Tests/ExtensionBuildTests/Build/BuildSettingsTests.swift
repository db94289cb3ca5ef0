// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// `$(NAME)` in Info.plist, as Xcode expands it.
struct BuildSettingsTests {
    private let settings = BuildSettings(
        product: "My Service",
        module: "My_Service",
        identifier: "com.example.chat.service",
        language: "de",
        overrides: ["TEAM": "ABC", "MARKETING_VERSION": "2.1", "EMPTY": ""]
    )

    @Test(arguments: [
        ("$(PRODUCT_MODULE_NAME).NotificationService", "My_Service.NotificationService"),
        ("${PRODUCT_NAME}", "My Service"),
        ("$(PRODUCT_NAME:rfc1034identifier)", "My-Service"),
        ("$(PRODUCT_NAME:c99extidentifier)", "My_Service"),
        ("$(TEAM).$(PRODUCT_BUNDLE_IDENTIFIER)", "ABC.com.example.chat.service"),
        ("$(MARKETING_VERSION) ($(CURRENT_PROJECT_VERSION))", "2.1 (1)"),
        ("$(DEVELOPMENT_LANGUAGE)", "de"),
        ("$(NOTHING:default=something)", "something"),
        ("$(EMPTY:default=something)", "something"),
        ("$(EMPTY)", ""),
        ("$5, $ and $(", "$5, $ and $("),
        ("no variable", "no variable"),
    ])
    func `variables have the values that Xcode gives them`(text: String, expanded: String) throws {
        #expect(try settings.expand(text) == expanded)
    }

    @Test(arguments: [("$(APP_NAME)", "APP_NAME"), ("a$(PRODUCT_NAME:strange)", "PRODUCT_NAME:strange")])
    func `a variable without a value is named`(text: String, name: String) {
        #expect(throws: UnknownSetting(name: name)) { try settings.expand(text) }
    }

    @Test(arguments: [("Chat", "Chat"), ("2Chat", "_2Chat"), ("Chat-Service", "Chat_Service"), ("Grüße", "Gr__e")])
    func `a module has a name that Swift takes`(product: String, module: String) {
        #expect(BuildSettings.c99Identifier(product) == module)
    }
}
