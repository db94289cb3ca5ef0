// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications
import WorkerProtocol

@testable import ExtensionWorker

/// Requests that the host sends ahead: the extension has one at a time all the same, and last calls pass them.
struct AheadTests {
    @Test func `the extension gets one request at a time, in their order`() throws {
        let host = try FakeHost()
        let handlers = Channel<ContentHandler>()
        let titles = Channel<String>()
        let session = host.serve {
            ScriptedService(receive: { request, handler in
                titles.put(request.identifier)
                handlers.put(handler)
            })
        }
        try host.greet()
        for id in UInt64(1)...8 { try host.request(id) }
        for id in UInt64(1)...8 {
            #expect(titles.take() == "request-\(id)")
            #expect(titles.isEmpty)
            let handler = try #require(handlers.take())
            handler(content(title: "\(id)"))
            #expect(try host.title(of: id) == "\(id)")
        }
        withExtendedLifetime(session) {}
    }

    @Test func `what the extension completes at once comes back in the order of the requests`() throws {
        let host = try FakeHost()
        let session = host.serve {
            ScriptedService(receive: { request, handler in handler(content(title: request.identifier)) })
        }
        try host.greet()
        for id in UInt64(1)...8 { try host.request(id) }
        for id in UInt64(1)...8 { #expect(try host.title(of: id) == "request-\(id)") }
        withExtendedLifetime(session) {}
    }

    @Test func `a last call passes the requests that wait`() throws {
        let host = try FakeHost()
        let expired = Channel<Bool>()
        let handlers = Channel<ContentHandler>()
        let session = host.serve {
            ScriptedService(receive: { _, handler in handlers.put(handler) }, expire: { expired.put(true) })
        }
        try host.greet()
        for id in UInt64(1)...8 { try host.request(id) }
        _ = try #require(handlers.take())
        try host.send(.willExpire(id: 1))
        #expect(expired.take() == true)
        #expect(handlers.isEmpty)
        withExtendedLifetime(session) {}
    }

    @Test func `what is asked back goes back, and the extension never has it`() throws {
        let host = try FakeHost()
        let handlers = Channel<ContentHandler>()
        let titles = Channel<String>()
        let session = host.serve {
            ScriptedService(receive: { request, handler in
                titles.put(request.identifier)
                handlers.put(handler)
            })
        }
        try host.greet()
        for id in UInt64(1)...4 { try host.request(id) }
        let first = try #require(handlers.take())
        for id in [1, 4, 2] as [UInt64] { try host.send(.recall(id: id)) }
        #expect(try host.receive() == .returned(id: 4))
        #expect(try host.receive() == .returned(id: 2))
        first(content(title: "first"))
        #expect(try host.title(of: 1) == "first")
        let next = try #require(handlers.take())
        next(content(title: "third"))
        #expect(try host.title(of: 3) == "third")
        #expect([titles.take(), titles.take()] == ["request-1", "request-3"])
        #expect(titles.isEmpty)
        withExtendedLifetime(session) {}
    }

    @Test func `a request behind others that was hung up on is given up`() throws {
        let host = try FakeHost()
        let session = host.serve { ScriptedService(receive: { _, _ in }) }
        try host.greet()
        for id in UInt64(1)...8 { try host.request(id) }
        host.hangUp()
        #expect(try host.waitForExit() == 0)
        withExtendedLifetime(session) {}
    }
}
