// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import NotificationPayload
import Synchronization
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

struct CompletionTests {
    @Test func `the last call comes while didReceive blocks, on another thread`() throws {
        let host = try FakeHost()
        let handlers = Channel<ContentHandler>()
        let threads = Locked<[pthread_t]>([])
        let release = DispatchSemaphore(value: 0)
        let session = host.serve {
            ScriptedService(
                receive: { _, handler in
                    threads.withLock { $0.append(pthread_self()) }
                    handlers.put(handler)
                    release.wait()
                },
                expire: {
                    threads.withLock { $0.append(pthread_self()) }
                    handlers.take()?(content(title: "late"))
                }
            )
        }
        try host.greet()
        try host.request(1)
        try host.send(.willExpire(id: 1))
        #expect(try host.title(of: 1) == "late")
        release.signal()
        let seen = threads.withLock { $0 }
        #expect(seen.count == 2 && seen[0] != seen[1])
        withExtendedLifetime(session) {}
    }

    @Test func `a last call during the making of the instance is made after it`() throws {
        let host = try FakeHost()
        let (making, expired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let handlers = Channel<ContentHandler>()
        let session = host.serve {
            making.wait()
            return ScriptedService(receive: { _, handler in handlers.put(handler) }, expire: { expired.signal() })
        }
        try host.greet()
        try host.request(1)
        try host.send(.willExpire(id: 1))
        making.signal()
        #expect(expired.wait(timeout: .now() + 10) == .success)
        handlers.take()?(content(title: "t"))
        #expect(try host.title(of: 1) == "t")
        withExtendedLifetime(session) {}
    }

    @Test func `a last call that crossed the completion does nothing`() throws {
        let host = try FakeHost()
        let expirations = Atomic(0)
        let session = host.serve {
            ScriptedService(
                receive: { request, handler in handler(request.content) },
                expire: { expirations.add(1, ordering: .relaxed) }
            )
        }
        try host.greet()
        try host.request(1)
        #expect(try host.title(of: 1) == "Alice")
        try host.send(.willExpire(id: 1))
        try host.request(2)
        #expect(try host.title(of: 2) == "Alice")
        #expect(expirations.load(ordering: .relaxed) == 0)
        withExtendedLifetime(session) {}
    }

    @Test func `a completion may come long after didReceive, from any thread`() throws {
        let host = try FakeHost()
        let handlers = Channel<ContentHandler>()
        let session = host.serve { ScriptedService(receive: { _, handler in handlers.put(handler) }) }
        try host.greet()
        try host.request(1)
        let handler = try #require(handlers.take())
        #expect(!host.hasPacket)
        handler(content(title: "from the test"))
        #expect(try host.title(of: 1) == "from the test")
        withExtendedLifetime(session) {}
    }

    @Test func `the packet is sent before the completion returns`() throws {
        let host = try FakeHost()
        let sent = Channel<Bool>()
        let session = host.serve {
            ScriptedService(receive: { [weak host] request, handler in
                guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
                handler(content)
                sent.put(host?.hasPacket == true)
                content.title = "changed afterwards"
            })
        }
        try host.greet()
        try host.request(1)
        #expect(sent.take() == true)
        #expect(try host.title(of: 1) == "Alice")
        withExtendedLifetime(session) {}
    }

    @Test func `of several completions the first counts and one line says so`() throws {
        let host = try FakeHost()
        let done = DispatchSemaphore(value: 0)
        let session = host.serve {
            ScriptedService(receive: { _, handler in
                for title in ["first", "second", "third"] { handler(content(title: title)) }
                done.signal()
            })
        }
        try host.greet()
        try host.request(1)
        #expect(try host.title(of: 1) == "first")
        #expect(
            try host.receive()
                == .log(.init(level: .notice, message: "the content handler was called again: no effect"))
        )
        #expect(done.wait(timeout: .now() + 10) == .success)
        #expect(session.repeatedCompletionCount == 2)
        #expect(!host.hasPacket)
    }

    @Test func `completions from many threads send one content`() throws {
        let host = try FakeHost()
        let session = host.serve {
            ScriptedService(receive: { _, handler in
                DispatchQueue.concurrentPerform(iterations: 32) { handler(content(title: "\($0)")) }
            })
        }
        try host.greet()
        var contentCount = 0
        try host.request(1)
        for _ in 0..<2 {
            if case .content = try host.receive() { contentCount += 1 }
        }
        try host.request(2)
        guard case .content(2, _) = try host.receive() else {
            Issue.record("another message than the second content")
            return
        }
        #expect(contentCount == 1)
        withExtendedLifetime(session) {}
    }

    @Test func `every request has its own instance, let go after its completion`() throws {
        let host = try FakeHost()
        let made = Atomic(0)
        let ended = DispatchSemaphore(value: 0)
        let session = host.serve {
            made.add(1, ordering: .relaxed)
            return ScriptedService(
                receive: { request, handler in handler(request.content) },
                end: { ended.signal() }
            )
        }
        try host.greet()
        for id in 1...3 {
            try host.request(UInt64(id))
            #expect(try host.title(of: UInt64(id)) == "Alice")
            #expect(ended.wait(timeout: .now() + 10) == .success)
        }
        #expect(made.load(ordering: .relaxed) == 3)
        withExtendedLifetime(session) {}
    }

    @Test func `an instance lives until the completion although nobody else holds it`() throws {
        let host = try FakeHost()
        let handlers = Channel<ContentHandler>()
        let ended = DispatchSemaphore(value: 0)
        let session = host.serve {
            ScriptedService(receive: { _, handler in handlers.put(handler) }, end: { ended.signal() })
        }
        try host.greet()
        try host.request(1)
        let handler = try #require(handlers.take())
        #expect(ended.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        handler(content(title: "t"))
        #expect(ended.wait(timeout: .now() + 10) == .success)
        withExtendedLifetime(session) {}
    }

    @Test func `requests at once have threads of their own and complete in any order`() throws {
        let host = try FakeHost()
        let handlers = Channel<(identifier: String, thread: pthread_t, handler: ContentHandler)>()
        let release = DispatchSemaphore(value: 0)
        let session = host.serve {
            ScriptedService(receive: { request, handler in
                handlers.put((request.identifier, pthread_self(), handler))
                release.wait()
            })
        }
        try host.greet(maxConcurrentRequests: 8)
        for id in 1...8 { try host.request(UInt64(id)) }
        let waiting = (1...8).compactMap { _ in handlers.take() }
        #expect(Set(waiting.map(\.thread)).count == 8)
        for id in (1...8).reversed() {
            let request = try #require(waiting.first { $0.identifier == "request-\(id)" })
            request.handler(content(title: request.identifier))
            #expect(try host.title(of: UInt64(id)) == "request-\(id)")
            release.signal()
        }
        withExtendedLifetime(session) {}
    }
}
