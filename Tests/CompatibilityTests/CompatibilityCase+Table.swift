// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension CompatibilityCase {
    static let all = kinds.flatMap(\.cases)

    /// All of them by what they show.
    static let kinds: [(name: String, cases: [CompatibilityCase])] = [
        ("shapes", shapes), ("content", content), ("data", data), ("system", system), ("downloads", downloads),
        ("attachments", attachments), ("life", life), ("process", process), ("impossible", impossible),
        ("examples", examples), ("mode 6", mode6), ("in mode 6", inMode6),
    ]

    private static let inMode5 = shapes + content + data + system + attachments + life + examples

    /// The same sources in mode 6, which refuses of the others what it refuses in Xcode: captures of the app's own.
    private static let inMode6 = [
        "AESGCM", "AppGroupContainer", "ApsCasts", "Availability", "BundleInfo", "CategoryThreadLevel",
        "CodableUserInfo", "Curve25519Agreement", "Examples/DecryptingExtension", "ForceUnwrap", "KeychainItems",
        "LocalizedTexts", "MessageIntent", "ObjectiveCName", "OnlyAtExpiry", "OverrideInit", "SeveralFiles",
        "SleepingThread", "StandardDefaults", "Suppressed", "UnifiedLogging", "UniformTypes",
        "UnrecognizedAttachment", "XcodeTemplate",
    ].flatMap { name in
        inMode5.filter { $0.name == name }.map { extensionCase in
            var extensionCase = extensionCase
            extensionCase.mode = "6"
            return extensionCase
        }
    }

    /// The cases about the form of the sources: class, initialiser, queues, several files.
    private static let shapes: [CompatibilityCase] = [
        .init("XcodeTemplate", "Xcode's template", .modified(["aps.alert.title": "Alice [modified]"])),
        .init(
            "SendableHandler",
            "@Sendable handler, actor, Task",
            mode: "6",
            .modified(["aps.alert.subtitle": "rendered 1"])
        ),
        .init("OverrideInit", "override init", .modified(["aps.alert.title": "№12,345.5 Alice"])),
        .init("WeakSelf", "weak self in two queues", .modified(["aps.alert.body": "Lunch? soup, bread"])),
        .init(
            "Availability",
            "#available, #unavailable, @available",
            .modified([
                "aps.alert.subtitle": "new", "aps.interruption-level": "passive", "aps.relevance-score": 0.5,
            ])
        ),
        .init(
            "ObjectiveCName",
            "@objc(Name), @objcMembers, class named for Objective-C",
            .modified(["aps.alert.title": "Alice @objc"])
        ),
        .init(
            "SeveralFiles",
            "folder of files, extension of UNNotificationContent",
            .modified(["aps.alert.title": "ALICE!!", "aps.alert.subtitle": "@Bob @Carol"])
        ),
        .init(
            "MainQueue",
            "DispatchQueue.main",
            .modified(["aps.alert.title": "false, then true", "aps.alert.subtitle": "sync"])
        ),
        .init("SleepingThread", "Thread.sleep, NSLock", .modified(["aps.alert.subtitle": "slept"])),
    ]

    /// The cases about the content that an extension gives back: sound, badge, category, thread, or nothing.
    private static let content: [CompatibilityCase] = [
        .init("BadgeAndSound", "badge, sound by name", .modified(["aps.badge": 5, "aps.sound": "boss.caf"])),
        .init("SoundRemoved", "sound = nil, badge = 0", .modified(["aps.badge": 0], removed: ["aps.sound"])),
        .init(
            "CriticalSound",
            "critical sound and level that nobody granted",
            .modified(["aps.sound": "alarm.caf", "aps.interruption-level": "active"])
        ),
        .init(
            "CategoryThreadLevel",
            "category, thread, level, score, summary",
            .modified([
                "aps.category": "MESSAGE", "aps.thread-id": "room-kitchen", "aps.alert.summary-arg": "Alice",
                "aps.alert.summary-arg-count": 2, "aps.target-content-id": "kitchen-window",
                "aps.interruption-level": "time-sensitive", "aps.relevance-score": 0.75, "aps.filter-criteria": "work",
            ])
        ),
        .init(
            "FreshContent",
            "UNMutableNotificationContent()",
            .modified(
                ["aps.alert.body": "Order 17 has left"],
                removed: ["order", "aps.mutable-content", "aps.alert.title"]
            )
        ),
        .init("Suppressed", "empty content with the filtering entitlement", .suppressed),
        .init("SuppressedWithBadge", "empty content with a badge, entitled", .suppressed),
        .init("EmptyUnentitled", "empty content without the entitlement", .original("emptyContent")),
        .init(
            "MessageIntent",
            "INSendMessageIntent, donate, updating(from:)",
            .modified(
                [
                    "aps.alert.title": "Alice Example", "aps.alert.subtitle": "Lunch club", "aps.thread-id": "lunch",
                ],
                log: ["an interaction was donated: nobody learns from it here"]
            )
        ),
    ]

    /// The cases about data that an extension reads from the push: casts, decoding, dates, decryption.
    private static let data: [CompatibilityCase] = [
        .init(
            "ApsCasts",
            "userInfo[\"aps\"] as this and that",
            .modified(
                ["aps.alert.body": "Alice, Lunch?, 2, 2, 4, true, x, 9007199254740993 2.5, 3 true, 2.5"],
                removed: ["aps.alert.loc-args"]
            )
        ),
        .init(
            "CodableUserInfo",
            "JSONSerialization, JSONDecoder",
            .modified([
                "aps.alert.body": "1714979289 1", "aps.alert.subtitle": "👍🎉",
                "aps.thread-id": "5e1c1f6e-0e4d-4f5b-9b7e-0d7d2e8b9c11",
            ])
        ),
        .init(
            "RegexAndDates",
            "NSRegularExpression, /regex/, DateFormatter",
            .modified([
                "aps.alert.title": "482913", "aps.alert.body": "Code 482913 until 2024-05-06 07:08",
                "aps.alert.subtitle": "6. Mai, 09:08",
            ])
        ),
        .init(
            "AESGCM",
            "CryptoKit: AES.GCM",
            .modified(["aps.alert.body": "Meet at noon"], removed: ["encrypted"])
        ),
        .init(
            "ChaChaPoly",
            "CryptoKit: ChaChaPoly, HMAC, Insecure.MD5",
            .modified([
                "aps.alert.body": "Dinner at eight", "md5": "c0344ec725648be3943817f5456ab28f",
                "code": "3590d4fa44926aef1c4b76abff4f9fb23b37ded7a348fdd41f5d31361d30a811",
            ])
        ),
        .init(
            "Curve25519Agreement",
            "CryptoKit: Curve25519, HKDF",
            .modified(["aps.alert.title": "Bob", "aps.alert.body": "On my way"])
        ),
        .init(
            "CommonDigest",
            "CommonCrypto: CC_SHA256, CC_MD5",
            .modified([
                "aps.thread-id": "f33f4ce0cd8bb94dde024aac4d21bc10d3a6e070f9a8581ce889d2cd99b5d8cf",
                "aps.target-content-id": "c0344ec725648be3943817f5456ab28f",
            ])
        ),
        .init(
            "UniformTypes",
            "UTType",
            .modified(["aps.alert.subtitle": "public.jpeg png image/jpeg", "aps.alert.body": "a picture"])
        ),
    ]

    /// The cases about services of the system: log, bundle, texts, defaults, app group, keychain.
    private static let system: [CompatibilityCase] = [
        .init(
            "UnifiedLogging",
            "Logger, os_log, privacy",
            .modified(
                log: [
                    "[com.example.chat.service:service] received Alice, token <private>",
                    "[com.example.chat.service:service] code 42, token <mask.hash: '",
                    "[com.example.chat:service] old style Lunch? and 7", "private by default: <private>",
                    "[com.example.chat:service] static",
                ],
                absentFromLog: ["t0p-s3cret"]
            )
        ),
        .init(
            "BundleInfo",
            "Bundle.main.infoDictionary, a resource",
            .modified([
                "aps.alert.title": "com.example.chat.service", "aps.alert.subtitle": "1.0 (214)",
                "aps.alert.body": "chat.example.com com.apple.usernotifications.service",
                "greeting": "from a resource",
            ])
        ),
        .init(
            "LocalizedTexts",
            "NSLocalizedString, String(localized:), tables",
            build: ["--language", "de"],
            .modified([
                "aps.alert.title": "Von Alice", "aps.alert.subtitle": "Bild",
                "aps.alert.body": "3 Bilder. Danke! missing key",
            ])
        ),
        .init(
            "LocalizedPush",
            "a push's texts by key, keys in userInfo",
            run: ["--language", "de-CH"],
            .modified(
                [
                    "aps.alert.title": "New photos", "aps.alert.body": "3 Bilder von Alice (SENT_%@_%@, 2)",
                ],
                removed: ["aps.alert.loc-key", "aps.alert.loc-args"]
            )
        ),
        .init(
            "StandardDefaults",
            "UserDefaults.standard",
            .modified([
                "aps.badge": 5, "aps.alert.subtitle": "date", "aps.alert.body": "Lunch? — sent from chat 2",
            ])
        ),
        .init(
            "AppGroupDefaults",
            "UserDefaults(suiteName:) of an app group",
            .modified(
                ["aps.badge": 1, "aps.alert.subtitle": "next 2", "aps.alert.body": "one group"],
                log: ["app group \"group.com.example.other\" is not listed under AppGroups"]
            )
        ),
        .init(
            "AppGroupContainer",
            "containerURL, JSON files",
            .modified(["aps.alert.subtitle": "stored 1"])
        ),
        .init(
            "ProcessFacts",
            "ProcessInfo",
            .modified([
                "aps.alert.title": "ProcessFacts", "aps.alert.subtitle": "real",
                "aps.alert.body": "true true false true",
            ])
        ),
        .init(
            "KeychainItems",
            "Security: SecItemAdd, SecRandomCopyBytes",
            .modified(["aps.alert.subtitle": "true true 0 true"])
        ),
        .init(
            "RandomNumbers",
            "UUID, NSUUID, globallyUniqueString, random",
            .modified(["aps.alert.subtitle": "4 identifiers, 4 versions, random"])
        ),
        .init(
            "Tests/CompatibilityTests/Extensions/RandomNumbers",
            "the same beside Swift's libraries",
            build: ["--no-static"],
            .modified(["aps.alert.subtitle": "4 identifiers, 4 versions, random"])
        ),
        .init(
            "WidgetReload",
            "WidgetCenter",
            .modified(["aps.alert.subtitle": "reloaded"], log: ["widgets told to reload: there are no widgets here"])
        ),
        .init(
            "CenterCalls",
            "UNUserNotificationCenter.current()",
            .modified(
                ["aps.category": "MESSAGE", "aps.alert.subtitle": "0 in 0", "aps.alert.body": "not added: 1"],
                log: ["UNUserNotificationCenter does not reach the app from here"]
            )
        ),
    ]
}
