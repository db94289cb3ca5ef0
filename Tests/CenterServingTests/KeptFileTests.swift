// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import Foundation
import NotificationApp
import NotificationPayload
import PacketSockets
import TestClock
import Testing
import UserNotifications

@testable import CenterServing

/// The files that the centre keeps, as an app in Swift reads them.
@Suite(.timeLimit(.minutes(2)))
struct KeptFileTests {
    private static let jpeg = BenchFiles.jpeg
    private static let sound = Array("ID3 la".utf8)

    private let bench: Bench

    init() async throws {
        bench = try await Bench.withPermission()
    }

    /// Adds a request with a picture and a sound.
    private func add(_ identifier: String, in seconds: Double? = nil, to app: UNUserNotificationCenter) async throws {
        let content = UNMutableNotificationContent()
        content.title = identifier
        content.attachments = try [("photo.jpg", Self.jpeg), ("la.mp3", Self.sound)].map { name, bytes in
            let place = URL(filePath: bench.folder + "/" + name)
            try Data(bytes).write(to: place)
            let options = [UNNotificationAttachmentOptionsThumbnailHiddenKey: name == "photo.jpg"]
            return try UNNotificationAttachment(identifier: name, url: place, options: options)
        }
        let trigger = seconds.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false) }
        try await app.add(UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    /// Reads the files of a content as an app does: `url` waits, so no thread of tasks asks for it.
    private func read(_ content: UNNotificationContent) async -> [ReadFile] {
        await withCheckedContinuation { answer in
            DispatchQueue.global().async { answer.resume(returning: content.attachments.map(ReadFile.init)) }
        }
    }

    private func places(of content: UNNotificationContent) async -> [String] {
        await withCheckedContinuation { answer in
            DispatchQueue.global().async { answer.resume(returning: content.attachments.map(\.url.path)) }
        }
    }

    private static let both = [
        ReadFile(identifier: "photo.jpg", type: "public.jpeg", pathExtension: "jpg", bytes: jpeg),
        ReadFile(identifier: "la.mp3", type: "public.mp3", pathExtension: "mp3", bytes: sound),
    ]

    /// The calls for files that the centre has answered.
    private var fileCalls: [String] { bench.samples("nestbox_center_calls_total").filter { $0.contains("\"file\"") } }

    @Test func `the files of what was delivered are read, each once`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", to: app)
            let content = try #require(await app.deliveredNotifications().first?.request.content)
            // Who only lists pays nothing.
            #expect(fileCalls == [])
            #expect(await read(content) == Self.both)
            let again = try #require(await app.deliveredNotifications().first?.request.content)
            #expect(await read(again) == Self.both)
            #expect(again.attachments == content.attachments)
            #expect(fileCalls == ["{call=\"file\",carrier=\"app\",result=\"done\"} 2"])
        }
    }

    @Test func `the files of a request that waits are read`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", in: 60, to: app)
            let content = try #require(await app.pendingNotificationRequests().first?.content)
            #expect(await read(content) == Self.both)
        }
    }

    @Test func `the files of a response are read until the app has completed it`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", to: app)
            let number = try #require(try bench.list().first?.head.number)
            let draft = ResponseDraft(owner: bench.me, number: number, action: "default", text: nil)
            _ = try await bench.center.perform([.respond(draft)])
            let reading = Reading()
            app.delegate = reading
            let files = await reading.next()
            #expect(files == Self.both)
        }
    }

    @Test func `the files of what comes for an app in front are read before it says how it is shown`() async throws {
        let presenter = Task { [bench] in await ForegroundPresenter(bench.center).run(ContinuousClock()) }
        try await bench.withApps {
            let app = bench.app()
            let reading = Reading()
            app.delegate = reading
            RemoteNotifications(app).isInFront = true
            while bench.center.foreground.answer(of: try bench.chat) != nil { try await Task.turn() }
            try await add("lunch", to: app)
            let files = await reading.next()
            #expect(files == Self.both)
        }
        presenter.cancel()
        await presenter.value
    }

    @Test func `a file that went with its notification has a place at which there is none`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", to: app)
            let content = try #require(await app.deliveredNotifications().first?.request.content)
            app.removeAllDeliveredNotifications()
            #expect(await app.deliveredNotifications().isEmpty)
            #expect(await read(content).map(\.bytes) == [nil, nil])
            #expect(fileCalls == ["{call=\"file\",carrier=\"app\",result=\"refused\"} 2"])
        }
    }

    @Test func `a content whose files are gone is added again without them`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", to: app)
            let content = try #require(await app.deliveredNotifications().first?.request.content)
            app.removeAllDeliveredNotifications()
            #expect(await app.deliveredNotifications().isEmpty)
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                // The places of files are looked for on the thread of whoever adds.
                DispatchQueue.global().async {
                    app.add(UNNotificationRequest(identifier: "later", content: content, trigger: nil)) { error in
                        done.resume(with: error.map(Result.failure) ?? .success(()))
                    }
                }
            }
            let later = try #require(await app.deliveredNotifications().first?.request)
            #expect(later.identifier == "later" && later.content.attachments.isEmpty)
        }
    }

    @Test func `an attachment of a list can be attached anew, and is not moved`() async throws {
        try await bench.withApps {
            let app = bench.app()
            try await add("lunch", to: app)
            let found = try #require(await app.deliveredNotifications().first?.request.content)
            #expect(await read(found) == Self.both)
            let places = await places(of: found)
            try await app.add(UNNotificationRequest(identifier: "dinner", content: found, trigger: nil))
            #expect(places.map { FileManager.default.fileExists(atPath: $0) } == [true, true])
            let dinner = try #require(await app.deliveredNotifications().first?.request)
            #expect(dinner.identifier == "dinner")
            #expect(dinner.content.attachments.map(\.thumbnail?.hidden) == [true, false])
            #expect(await read(dinner.content) == Self.both)
            #expect(await read(found) == Self.both)
        }
    }

    // MARK: Hostile apps

    /// The centre's answer to a call for a file; `nil` means that none comes with the call.
    private func ask(
        _ word: String,
        under identifier: String = "lunch",
        of app: String = Bench.topic,
        into target: PassedFile?
    ) async throws -> CallAnswer {
        let files = CallFiles(passed: target.map { [$0] } ?? [], intake: FileIntake(bench.center.store.files))
        let key = try #require(InstallationKey(owner: bench.me, app: app))
        let call = CenterCall.file(StoredFileName(request: identifier, file: word))
        return await CallDesk(bench.center, files, by: .app).answer(call, of: key)
    }

    /// Opens a file of the bench's folder, which is made.
    private func open(_ name: String, _ flags: CInt = O_RDWR, _ bytes: [UInt8] = []) throws -> PassedFile {
        let path = bench.folder + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return PassedFile(owning: Foundation.open(path, flags | O_CLOEXEC))
    }

    /// The centre's word for the picture of a request.
    private func word(_ identifier: String = "lunch") throws -> String {
        let files = try bench.center.store.files(ofRequest: identifier, of: bench.chat)
        return bench.center.store.tag(of: try #require(files.first).id)
    }

    @Test func `a file is handed to its app alone, under its request and its word`() async throws {
        try await bench.withApps { try await add("lunch", to: bench.app()) }
        let word = try word()
        #expect(try await ask(word, into: open("whole")) == .done)
        #expect(try Data(contentsOf: URL(filePath: bench.folder + "/whole")) == Data(Self.jpeg))
        #expect(try await ask(word, under: "dinner", into: open("a")) == .failed(.attachmentNotStored))
        #expect(try await ask(word + "0", into: open("b")) == .failed(.attachmentNotStored))
        #expect(try await ask(word, of: "com.example.mail", into: open("c")) == .failed(.attachmentNotStored))
        _ = try await bench.center.ask(
            [.alert],
            try #require(InstallationKey(owner: bench.me, app: "com.example.mail"))
        )
        #expect(try await ask(word, of: "com.example.mail", into: open("d")) == .failed(.attachmentNotStored))
    }

    @Test func `nothing is written into what is no empty file of the app's`() async throws {
        try await bench.withApps { try await add("lunch", to: bench.app()) }
        let word = try word()
        #expect(try await ask(word, into: nil) == .failed(.attachmentURL))
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let (reading, writing) = (PassedFile(owning: ends[0]), PassedFile(owning: ends[1]))
        #expect(try await ask(word, into: writing) == .failed(.attachmentURL))
        var byte: UInt8 = 0
        #expect(Foundation.read(reading.descriptor, &byte, 1) == -1 && errno == EAGAIN)
        let folder = PassedFile(owning: Foundation.open(bench.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        #expect(try await ask(word, into: folder) == .failed(.attachmentURL))
        #expect(try await ask(word, into: open("full", O_RDWR, [1])) == .failed(.attachmentURL))
        #expect(try Data(contentsOf: URL(filePath: bench.folder + "/full")) == Data([1]))
        #expect(try await ask(word, into: open("closed", O_RDONLY)) == .failed(.attachmentNotMoved))
    }

    @Test func `a file that is damaged or gone on the centre's disk is said to be so`() async throws {
        try await bench.withApps { try await add("lunch", to: bench.app()) }
        let word = try word()
        let picture = try #require(try bench.center.store.files(ofRequest: "lunch", of: bench.chat).first)
        let path = try #require(
            try bench.keptFiles().map { bench.folder + "/files/" + $0 }
                .first { try Data(contentsOf: URL(filePath: $0)) == Data(Self.jpeg) }
        )
        #expect(truncate(path, 3) == 0)
        #expect(try await ask(word, into: open("cut")) == .failed(.attachmentCorrupt))
        bench.center.store.files.discard([picture])
        #expect(try await ask(word, into: open("gone")) == .failed(.attachmentNotStored))
    }

    @Test func `a sealed file is opened on its way`() throws {
        let folder = bench.folder + "/sealed"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = try #require((0..<32).map { UInt8($0) }.withUnsafeBytes { StoreKey($0) })
        let store = try CenterStore(folder: folder, isDurable: false, key: key)
        var picture = Self.jpeg
        while picture.count < 300_000 { picture.append(UInt8(truncatingIfNeeded: picture.count * 7)) }
        let source = try open("picture", O_RDONLY, picture)
        let type = try #require(AttachmentType(identifier: "public.jpeg"))
        let kept = try withExtendedLifetime(source) { try store.files.keep(source.descriptor, as: type) }
        let target = try open("target")
        let failure = try #require(FileOutlet(target)).take(kept, from: store.files)
        #expect(failure == nil)
        #expect(try Data(contentsOf: URL(filePath: bench.folder + "/target")) == Data(picture))
    }
}

/// An attachment as an app reads it.
private struct ReadFile: Equatable {
    var identifier: String
    var type: String
    var pathExtension: String
    /// `nil` means that there is no file at its place.
    var bytes: [UInt8]?
}

extension ReadFile {
    init(_ attachment: UNNotificationAttachment) {
        identifier = attachment.identifier
        type = attachment.type
        let url = attachment.url
        pathExtension = url.pathExtension
        bytes = (try? Data(contentsOf: url)).map { Array($0) }
    }
}

/// A delegate that reads the files of what it is told, on the queue on which it is told.
private final class Reading: NSObject, UNUserNotificationCenterDelegate {
    private let (files, continuation) = AsyncStream<[ReadFile]>.makeStream()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        continuation.yield(response.notification.request.content.attachments.map(ReadFile.init))
        completionHandler()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        continuation.yield(notification.request.content.attachments.map(ReadFile.init))
        completionHandler([.list])
    }

    func next() async -> [ReadFile]? {
        for await files in files { return files }
        return nil
    }
}
