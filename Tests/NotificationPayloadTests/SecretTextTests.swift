// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

/// Secrets of key files in messages for people.
struct SecretTextTests {
    private static let key = "NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG"
    private static let digits = "c0ca21e5296018ec36a7da38f36bd758d96d95a5b6a74049c5fa98ec65cbb183"
    private static let webPush = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg"

    /// Each form of FORMAT.md, "Key files", quoted as messages quote what a person has written.
    @Test(
        arguments: [
            (key, "NSE-SECRET-KEY-1…"),
            (key.lowercased(), "NSE-SECRET-KEY-1…"),
            ("\(key) retired=2026-11-21T02:40:00Z", "NSE-SECRET-KEY-1… retired=2026-11-21T02:40:00Z"),
            ("/etc/nestbox/\(key)", "/etc/nestbox/NSE-SECRET-KEY-1…"),
            ("nse-psk-1qqqqsyqcyq5rqwzqfpg9scrgwpugpzysn", "NSE-PSK-1…"),
            ("web-push: \(webPush)", "web-push: …"),
            ("Web-Push:\(webPush.replacing(" ", with: "\t \t"))", "Web-Push: …"),
            ("/etc/nestbox/web-push: \(webPush)", "/etc/nestbox/web-push: …"),
            ("home-assistant: \(digits)", "home-assistant: …"),
            ("bark-gcm: 1234567890123456 111111111111", "bark-gcm: …"),
            ("bark-gcm: 12345678901234\"5 111111111111", "bark-gcm: …"),
            ("bark-cbc: 1234567890\"2345/ 1111111111111111", "bark-cbc: …"),
            ("bark-cbc: 123456789012345678901234", "bark-cbc: …"),
        ]
    )
    func `a secret is masked wherever it stands`(secret: String, masked: String) {
        #expect(secret.withoutSecrets == masked)
        #expect(masked.withoutSecrets == masked)
        #expect("key file \"\(secret)\" is no file".withoutSecrets == "key file \"\(masked)\" is no file")
        #expect("a \"\(secret)\": \"\(secret)\", b".withoutSecrets == "a \"\(masked)\": \"\(masked)\", b")
    }

    @Test(
        arguments: [
            "", "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll", "listen.web-push: has no address",
            "web-push: PRIVATE-KEY AUTH", "known formats are v1, sealed-box, box, web-push, home-assistant, bark-gcm",
            "sandbox: /a/path/that/is/not/short", "naïve – web-push: 12345678901234",
        ]
    )
    func `any other text stays as it is`(text: String) {
        #expect(text.withoutSecrets == text)
    }
}
