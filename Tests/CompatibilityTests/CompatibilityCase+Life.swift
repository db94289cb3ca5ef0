// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension CompatibilityCase {
    /// Half of the time for the extension, half for what it does at the last call.
    private static let short = ["--budget", "10s", "--grace", "5s"]

    /// The cases in which an extension downloads something.
    static let downloads: [CompatibilityCase] = [
        .init(
            "TaskAsync",
            "Task, async data(from:)",
            .modified(["aps.alert.title": "Alice Example", "aps.badge": 3])
        ),
        .init("DownloadTask", "downloadTask, moveItem", .modified(attachments: ["photo public.jpeg 159"])),
        .init("ContentsOfURL", "Data(contentsOf: web URL)", contentsOfURL),
        .init("ContentsOfURL", "the same, --no-static", build: ["--no-static"], contentsOfURL),
        .init("ContentsOfSiblings", "NSData, String, NSDictionary(contentsOf:)", contentsOfSiblings),
        .init(
            "ContentsOfSiblings",
            "the same, --no-static",
            build: ["--no-static"],
            contentsOfSiblings
        ),
        .init("DataTask", "dataTask, unowned self, identifier \"\"", .modified(attachments: ["UUID public.png 230"])),
        .init("TypeHint", "type hint for a .tmp file", .modified(attachments: ["image public.png 230"])),
        .init(
            "TemporaryDirectory",
            "temporaryDirectory, globallyUniqueString",
            .modified(attachments: ["voice.wav com.microsoft.waveform-audio 444"])
        ),
        .init("Semaphore", "DispatchSemaphore until the answer", .modified(["aps.alert.body": "Alice Example"])),
        .init(
            "OldTypeConstants",
            "MobileCoreServices: kUTTypePNG",
            .modified(["aps.alert.subtitle": "public.png"], attachments: ["old public.png 230"])
        ),
        .init(
            "ImageFromData",
            "UIImage(data:), pngData()",
            .modified(
                ["aps.alert.subtitle": "12 × 8", "aps.alert.body": "one image"],
                attachments: ["avatar public.png 230"]
            )
        ),
    ]

    private static let contentsOfURL = Expectation.modified(attachments: ["image.png public.png 230"])

    private static let contentsOfSiblings = Expectation.modified([
        "aps.alert.title": "true true", "aps.alert.subtitle": "230 Alice Example",
        "aps.alert.body": "unlisted refused",
    ])

    /// Attachments that are none.
    static let attachments: [CompatibilityCase] = [
        .init(
            "UnrecognizedAttachment",
            "UNNotificationAttachment throws",
            .modified(["aps.alert.subtitle": "UNErrorDomain 101", "aps.alert.body": "no file"])
        ),
        .init(
            "CorruptAttachment",
            "a page by the name of an image",
            .modified(["aps.alert.subtitle": "with a picture"], refused: ["photo wrongContent"])
        ),
    ]

    /// The cases about the end of a request: at the last call, never, by an exit, by a crash, by too much memory.
    static let life: [CompatibilityCase] = [
        .init(
            "OnlyAtExpiry",
            "completes in serviceExtensionTimeWillExpire only",
            run: short,
            .modified(["aps.alert.subtitle": "received", "aps.alert.body": "Lunch? (late)"], late: true)
        ),
        .init(
            "LateAnswer",
            "blocked until the last call",
            run: short,
            .modified(["aps.alert.subtitle": "just in time"], late: true)
        ),
        .init(
            "IgnoredExpiry",
            "logs at the last call, completes never",
            run: short,
            .original("timeWillExpireIgnored", log: ["1 notifications are lost"])
        ),
        .init("Hang", "blocked for ever", run: short, .original("budgetExceeded")),
        .init(
            "DoubleCompletion",
            "handler called three times",
            // A run ends with its record, perhaps before the second call and its line in the log: CompletionTests has
            // it.
            .modified(["aps.alert.title": "first"])
        ),
        .init("ExitAfterCompletion", "exit(0) after the handler", .modified(["aps.alert.title": "Alice (left)"])),
        .init("ExitBeforeCompletion", "exit(0) before the handler", .original("exitedEarly")),
        .init("ForceUnwrap", "crash by as!", .original("crashed", log: ["before the key is read"])),
        .init("MemoryWithinLimit", "16 MB of pictures", .modified(["aps.badge": 10])),
        .init("MemoryEater", "160 MB of pictures", .original("memoryLimitExceeded")),
    ]

    /// The cases about state that outlives a notification, and about several notifications at once.
    static let process: [CompatibilityCase] = [
        .init(
            "Statics",
            "static var, static let, lazy var",
            run: ["--times", "3"],
            .eachModified(
                ["aps.alert.title": "Alice #1"],
                ["aps.alert.title": "Alice #2"],
                ["aps.alert.title": "Alice #3"]
            )
        ),
        .init(
            "Singletons",
            "static let shared, NSCache, a new instance for each push",
            run: ["--times", "3"],
            .eachModified(singletons(1), singletons(2), singletons(3))
        ),
        .init(
            "ActorSingleton",
            "actor as static let shared, Task",
            mode: "6",
            run: ["--times", "3"],
            .eachModified(["aps.badge": 1], ["aps.badge": 2], ["aps.badge": 3])
        ),
        .init("HomeFolders", "Documents, Caches, Library of the home", homeFolders),
        .init("HomeFolders", "the same, --no-static", build: ["--no-static"], homeFolders),
        .init(
            "ImpliedSecurity",
            "Foundation brings Security along",
            .modified(["aps.alert.subtitle": "no item"])
        ),
        .init(
            "ImpliedNotifications",
            "UIKit brings UserNotifications along",
            .modified(["aps.alert.subtitle": "Linux, Alice"])
        ),
        .init(
            "FeedParser",
            "XMLParser is Foundation's",
            .modified(["aps.alert.subtitle": "Alice, Bob & Eve"])
        ),
        .init(
            "ServerTrust",
            "SecTrust: pins compile, and nobody asks for them",
            .modified(["aps.alert.subtitle": "true true"])
        ),
        .init(
            "SQLiteStore",
            "SQLite3: a database in Documents, prepared statements, a transaction",
            .modified(["aps.alert.title": "1 stored, 1 of them Lunch?", "aps.alert.subtitle": "wal, ok"])
        ),
        .init(
            "TwoAtOnce",
            "two at once: MaxConcurrentRequests, NSCondition",
            run: ["--times", "2", "--parallel", "2"],
            .eachModified(twoAtOnce, twoAtOnce)
        ),
    ]

    private static let homeFolders = Expectation.modified([
        "aps.alert.title": "true true",
        "aps.alert.subtitle": "Application Support, Caches, Preferences, log.txt",
        "aps.alert.body": "~/Documents ~/Library ~/Library/Caches",
    ])

    private static func singletons(_ count: Int64) -> [String: JSON] {
        [
            "aps.alert.title": "Lunch club", "aps.alert.subtitle": .string("\(count) in lunch, 1 store"),
            "aps.alert.body": "a new instance",
        ]
    }

    private static let twoAtOnce: [String: JSON] = [
        "aps.alert.title": "2 services on 2 threads", "aps.alert.subtitle": "its own",
    ]

    /// The cases with idioms of projects in language mode 6.
    static let mode6: [CompatibilityCase] = [
        .init(
            "AsyncDownload",
            "Task.detached, async download(from:)",
            mode: "6",
            .modified(attachments: ["photo public.jpeg 159"])
        ),
        .init(
            "AsyncLet",
            "async let of two downloads, Sendable struct",
            mode: "6",
            .modified(["aps.alert.title": "Alice Example", "aps.badge": 3], attachments: ["photo public.jpeg 159"])
        ),
        .init(
            "Continuation",
            "withCheckedThrowingContinuation",
            mode: "6",
            .modified(["aps.alert.subtitle": "53 bytes"])
        ),
        .init(
            "Deadline",
            "withThrowingTaskGroup, Task.sleep(for:), Duration",
            mode: "6",
            .modified(["aps.alert.subtitle": "in time", "aps.alert.body": "too late"])
        ),
        .init(
            "LockedHandler",
            "OSAllocatedUnfairLock, unchecked Sendable",
            mode: "6",
            .modified(["aps.alert.body": "LUNCH?"])
        ),
        .init(
            "MainActorModel",
            "@MainActor class, Task { @MainActor in }",
            mode: "6",
            .modified(["aps.alert.title": "Alice in blue", "aps.alert.subtitle": "13 letters"])
        ),
    ]

    /// The cases of calls that Linux lacks: the extension gets the compiler's error, or the answer that Foundation
    /// gives instead.
    static let impossible: [CompatibilityCase] = [
        .init(
            "SuggestedFilename",
            "URLResponse.suggestedFilename, which is \"Unknown\" on Linux",
            .modified(["aps.alert.subtitle": "Unknown", "aps.alert.body": "no image"])
        ),
        .init(
            "DynamicMembers",
            "messages to AnyObject",
            .compilerErrors([
                "DynamicMembers/NotificationService.swift:9:60: error: value of type 'AnyObject' has no member 'integerValue'"
            ])
        ),
        .init("SelectorTimer", "#selector: a timer that calls by name", .modified()),
    ]

    /// The examples that people start from.
    static let examples: [CompatibilityCase] = [
        .init(
            "Examples/DecryptingExtension",
            "a chat that decrypts by itself",
            .modified([
                "aps.alert.title": "Alice", "aps.alert.body": "Meet at noon?", "aps.thread-id": "lunch",
            ])
        ),
        .init(
            "Examples/ImageExtension",
            "an image beside the text",
            build: ["--setting", "MEDIA_HOST=http://127.0.0.1:8000"],
            .modified(attachments: ["photo.png public.png 230"])
        ),
        .init("Examples/SuppressingExtension", "what is muted is not shown", .suppressed),
        .init(
            "Examples/AppGroupExtension",
            "an inbox for the app, a badge",
            .modified(["aps.badge": 1, "aps.alert.subtitle": "1 unread message"])
        ),
    ]
}
