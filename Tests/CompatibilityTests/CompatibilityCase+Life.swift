// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension CompatibilityCase {
    /// Half of the time for the extension, half for what it does at the last call.
    private static let short = ["--budget", "4s", "--grace", "2s"]

    /// What is fetched.
    static let downloads: [CompatibilityCase] = [
        .init(
            "TaskAsync",
            "Task, async data(from:)",
            .modified(["aps.alert.title": "Alice Example", "aps.badge": 3])
        ),
        .init("DownloadTask", "downloadTask, moveItem", .modified(attachments: ["photo public.jpeg 159"])),
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

    /// How it ends.
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
            .modified(["aps.alert.title": "first"], log: ["the content handler was called again: no effect"])
        ),
        .init("ExitAfterCompletion", "exit(0) after the handler", .modified(["aps.alert.title": "Alice (left)"])),
        .init("ExitBeforeCompletion", "exit(0) before the handler", .original("exitedEarly")),
        .init("ForceUnwrap", "crash by as!", .original("crashed", log: ["before the key is read"])),
        .init("MemoryWithinLimit", "16 MB of pictures", .modified(["aps.badge": 10])),
        .init("MemoryEater", "160 MB of pictures", .original("memoryLimitExceeded")),
    ]

    /// What Linux has no answer to: the compiler's words, or what Foundation does in its place.
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
        .init(
            "SelectorTimer",
            "#selector",
            .compilerErrors([
                "SelectorTimer/NotificationService.swift:12:70: error: '#selector' can only be used with the Objective-C "
                    + "runtime"
            ])
        ),
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
