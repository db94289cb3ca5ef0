// SPDX-License-Identifier: Apache-2.0

import Synchronization
import UserNotifications

/// The extension that tests give to the host to see what it does about it.
final class MisbehavingService: UNNotificationServiceExtension {
    /// Requests of this process so far, one at a time: the id of the current one, up to 255.
    private static let requestCount = Atomic<UInt8>(0)

    private var contentHandler: (@Sendable (UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()
    private var behavior: Behavior?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let id = Self.requestCount.wrappingAdd(1, ordering: .relaxed).newValue
        self.contentHandler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent ?? content
        behavior = (content.userInfo["behave"] as? String).flatMap(Behavior.init(rawValue:))
        switch behavior {
        case nil: complete("handled")
        case .exit, .abort, .kill, .trap, .memory: end()
        case .hang: DispatchSemaphore(value: 0).wait()
        case .silent, .late: break
        case .tell:
            RawSocket.send([0x83, 0, 0, 0, 0, 0, 0, 0, 0] + Array(#"{"level":"info","message":"at work"}"#.utf8))
        case .spin: while true {}
        case .twice:
            complete("first")
            complete("second")
        case .empty: contentHandler(UNNotificationContent())
        case .huge:
            content.userInfo["filler"] = String(repeating: "x", count: 70_000)
            complete("huge")
        case .exitAfter:
            complete("handled")
            exit(0)
        case .mainQueue, .mainActor: completeOnMain()
        case .attach: attach()
        case .digest, .spoil:
            content.body = content.attachments.map(Self.describe).joined(separator: "; ")
            if behavior == .spoil {
                for attachment in content.attachments { try? Data("spoilt".utf8).write(to: attachment.url) }
            }
            complete("digest")
        case .dropFiles:
            content.attachments = []
            complete("dropped")
        case .report: complete("\(getpid())")
        case .centre:
            UNUserNotificationCenter.current().removeAllDeliveredNotifications()
            UNUserNotificationCenter.current().removeAllPendingNotificationRequests()
            complete("handled")
        case .centreAndExit:
            UNUserNotificationCenter.current().removeAllDeliveredNotifications()
            let added = UNMutableNotificationContent()
            added.title = "added"
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "added", content: added, trigger: nil)
            )
            complete("handled")
            exit(0)
        case .centreWithFile: addWithFile()
        case .meet: meet()
        case .remember: complete(Memory.countUp(inMemory: Int(id)))
        case .wait:
            usleep(UInt32(clamping: (content.userInfo["milliseconds"] as? Int ?? 0) * 1000))
            complete("handled")
        case .garbage: RawSocket.send(Array("GET / HTTP/1.1".utf8))
        case .twiceRaw:
            for title in ["first", "second"] {
                let body = #"{"payload":{"aps":{"alert":{"title":"\#(title)"}}}}"#
                RawSocket.send([0x82, 0, 0, 0, 0, 0, 0, 0, id] + Array(body.utf8))
            }
        case .wrongID: RawSocket.send([0x82, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + Array(#"{"payload":{}}"#.utf8))
        case .readyAgain: RawSocket.send([0x81, 0, 0, 0, 0, 0, 0, 0, 0] + Array(#"{"protocol":1}"#.utf8))
        case .flood:
            let log = [0x83, 0, 0, 0, 0, 0, 0, 0, 0] + Array(#"{"level":"info","message":"again"}"#.utf8)
            while true { RawSocket.send(log) }
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if behavior == .late { complete("late") }
    }

    private func complete(_ title: String) {
        content.title = title
        contentHandler?(content)
    }

    private func completeOnMain() {
        let (content, contentHandler) = (content, contentHandler)
        let complete = { @Sendable in
            content.title = Thread.isMainThread ? "main thread" : "another thread"
            contentHandler?(content)
        }
        if behavior == .mainQueue {
            DispatchQueue.main.async(execute: complete)
        } else {
            // Nobody awaits it: the content handler is its result.
            Task { @MainActor in complete() }
        }
    }

    private static func describe(_ attachment: UNNotificationAttachment) -> String {
        guard let bytes = try? Data(contentsOf: attachment.url) else { return "\(attachment.identifier) unreadable" }
        let digest = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\(attachment.identifier) \(attachment.type) \(bytes.count) \(digest)"
    }

    private func attach() {
        let ownFile = Bundle.main.bundleURL.appendingPathComponent("Info.plist")
        do {
            let picture = try Self.makePicture()
            let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
            content.attachments = [
                try UNNotificationAttachment(identifier: "picture", url: picture),
                try UNNotificationAttachment(identifier: "no picture", url: ownFile, options: hint),
            ]
            complete("attached")
        } catch {
            complete("\(error)")
        }
    }

    private func addWithFile() {
        do {
            let added = UNMutableNotificationContent()
            added.title = "added"
            let picture = try Self.makePicture()
            added.attachments = [try UNNotificationAttachment(identifier: "picture", url: picture)]
            let request = UNNotificationRequest(identifier: "added", content: added, trigger: nil)
            UNUserNotificationCenter.current().add(request) { [content, contentHandler] error in
                let isLeft = FileManager.default.fileExists(atPath: picture.path)
                content.title = "\((error as? UNError)?.code.rawValue ?? 0) \(isLeft)"
                contentHandler?(content)
            }
        } catch {
            complete("\(error)")
        }
    }

    /// Writes 1,008 bytes that begin as a PNG does.
    private static func makePicture() throws -> URL {
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        try Data(signature + [UInt8](repeating: 7, count: 1000)).write(to: picture, options: .atomic)
        return picture
    }

    /// Each leaves a file in the home folder, which all processes of the app share.
    private func meet() {
        let folder = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("meeting")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data().write(to: folder.appendingPathComponent(UUID().uuidString))
        let wanted = content.userInfo["count"] as? Int ?? 0
        while (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.count ?? 0 < wanted { usleep(5000) }
        complete("handled")
    }

    private func end() {
        switch behavior {
        case .exit: exit(3)
        case .abort: abort()
        case .kill: kill(getpid(), SIGKILL)
        case .memory:
            var hoard: [[UInt8]] = []
            while true { hoard.append([UInt8](repeating: UInt8(truncatingIfNeeded: hoard.count), count: 1 << 20)) }
        default:
            print("the last words")
            fatalError("asked for")
        }
    }
}

/// Writes past the SDK, straight to the host's socket.
enum RawSocket {
    static func send(_ packet: [UInt8]) {
        _ = unsafe packet.withUnsafeBytes { unsafe write(3, $0.baseAddress, $0.count) }
    }
}
