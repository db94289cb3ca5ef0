// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation

/// The operations of decent extensions, all of them: a filter that is too tight fails here.
///
/// Answers with "done", or with the name of each part that did not come out right.
struct Harmless {
    private(set) var failed: [String] = []

    static func run() async -> String {
        var run = Harmless()
        run.check("json") { try json() }
        run.check("formatters") { try formatters() }
        run.check("base64") { try base64() }
        run.check("identifiers") { identifiers() }
        run.check("sodium") { sodium() }
        run.check("print") { printing() }
        run.check("files") { try files() }
        run.check("overfull") { overfull() }
        run.check("thread") { thread() }
        await run.check("queues") { await queues() }
        await run.check("timer") { await timer() }
        await run.check("tasks") { try await tasks() }
        await run.check("main queue") { await mainQueue() }
        return run.failed.isEmpty ? "done" : run.failed.joined(separator: ",")
    }

    private mutating func check(_ name: String, _ part: () throws -> Bool) {
        if (try? part()) != true { failed.append(name) }
    }

    private mutating func check(_ name: String, _ part: () async throws -> Bool) async {
        if (try? await part()) != true { failed.append(name) }
    }
}

// MARK: Values

extension Harmless {
    private struct Message: Codable, Equatable {
        let title: String
        let date: Date
        let identifier: UUID
        let numbers: [Int]
    }

    private static func json() throws -> Bool {
        let numbers = (0..<100).map { _ in Int.random(in: 0..<1000) }
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let message = Message(title: "Lunch?", date: date, identifier: UUID(), numbers: numbers)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let data = try encoder.encode(message)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let isDecoded = try decoder.decode(Message.self, from: data) == message
        return isDecoded && object?["title"] as? String == "Lunch?" && Date().timeIntervalSince(date) > 0
    }

    /// There is no /dev/urandom here, which Foundation would read for them.
    private static func identifiers() -> Bool {
        let identifiers = (0..<4).map { $0 < 2 ? UUID().uuidString : NSUUID().uuidString }
        return Set(identifiers).count == 4
    }

    private static func formatters() throws -> Bool {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "de_DE")
        formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
        formatter.dateFormat = "EEEE HH:mm"
        let numbers = NumberFormatter()
        numbers.locale = Locale(identifier: "de_DE")
        numbers.numberStyle = .decimal
        let expression = try NSRegularExpression(pattern: "([a-z]+)@example\\.com")
        let text = "to anna@example.com"
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
        return formatter.string(from: Date(timeIntervalSince1970: 0)) == "Donnerstag 01:00"
            && numbers.string(from: 1234.5) == "1.234,5" && match?.numberOfRanges == 2
    }

    private static func base64() throws -> Bool {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        return Data(base64Encoded: bytes.base64EncodedString()) == bytes
    }

    private static func sodium() -> Bool {
        guard sodium_init() >= 0, let page = unsafe sodium_malloc(32) else { return false }
        defer { unsafe sodium_free(page) }
        unsafe randombytes_buf(page, 32)
        return unsafe sodium_mprotect_readonly(page) == 0
    }

    private static func printing() -> Bool {
        print("harmless")
        return (try? FileHandle.standardError.write(contentsOf: Data("harmless\n".utf8))) != nil
    }
}

// MARK: Files

extension Harmless {
    private static func files() throws -> Bool {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
        try Data("text".utf8).write(to: first)
        try Data("other".utf8).write(to: first, options: .atomic)
        try manager.copyItem(at: first, to: second)
        let handle = try FileHandle(forUpdating: second)
        try handle.truncate(atOffset: 2)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("!".utf8))
        try handle.synchronize()
        try handle.close()
        try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: second.path)
        let text = try String(contentsOf: second, encoding: .utf8)
        let size = try manager.attributesOfItem(atPath: first.path)[.size] as? Int
        try manager.moveItem(at: second, to: folder.appendingPathComponent("c"))
        let names = try manager.contentsOfDirectory(atPath: folder.path).sorted()
        try manager.removeItem(at: folder)
        return text == "ot!" && size == 5 && names == ["a", "c"] && !manager.fileExists(atPath: folder.path)
    }

    /// More than there is room for: an error that is thrown, and room again when the file is gone.
    private static func overfull() -> Bool {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let isRefused = (try? Data(count: 3 << 20).write(to: file)) == nil
        try? FileManager.default.removeItem(at: file)
        return isRefused && (try? Data(count: 10).write(to: file)) != nil
            && (try? FileManager.default.removeItem(at: file)) != nil
    }
}

// MARK: Threads

extension Harmless {
    private static func thread() -> Bool {
        let ended = DispatchSemaphore(value: 0)
        let thread = Thread { ended.signal() }
        thread.name = "harmless"
        thread.start()
        return ended.wait(timeout: .now() + 10) == .success
    }

    private static func queues() async -> Bool {
        let serial = DispatchQueue(label: "serial")
        for _ in 0..<5 {
            let group = DispatchGroup()
            for _ in 0..<20 { DispatchQueue.global().async(group: group) { usleep(1000) } }
            for _ in 0..<20 { serial.async(group: group) {} }
            await withCheckedContinuation { continuation in
                group.notify(queue: serial) { continuation.resume() }
            }
        }
        return true
    }

    private static func timer() async -> Bool {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        await withCheckedContinuation { continuation in
            timer.setEventHandler {
                timer.cancel()
                continuation.resume()
            }
            timer.schedule(deadline: .now() + 0.01)
            timer.resume()
        }
        return true
    }

    private static func tasks() async throws -> Bool {
        try await Task.sleep(for: .milliseconds(5))
        return await withTaskGroup(of: Int.self) { group in
            for number in 1...20 { group.addTask { number } }
            return await group.reduce(0, +) == 210
        }
    }

    /// For three seconds and ten turns, so that Dispatch looks after its threads in between.
    private static func mainQueue() async -> Bool {
        let end = ContinuousClock.now + .seconds(3)
        var count = 0
        while ContinuousClock.now < end || count <= 10 {
            guard await hopsToMain() else { return false }
            DispatchQueue.global().async { usleep(20_000) }
            count += 1
        }
        return true
    }

    private static func hopsToMain() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) {
                continuation.resume(returning: Thread.isMainThread)
            }
        }
    }
}
