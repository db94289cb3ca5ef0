// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import NIOHTTP1
import NotificationPayload
import PacketSockets
import TestClock
import Testing

@testable import CenterServing

/// The ways in which a person's answer brings an app about.
@Suite(.timeLimit(.minutes(2)))
struct LaunchTests {
    private let bench: Bench

    init() throws {
        bench = try Bench()
    }

    /// A centre whose app has these words, and one notification of the app; returns its path for answers.
    private func prepare(_ describe: (inout CenterApp) -> Void) async throws -> String {
        var registry = Bench.registry()
        describe(&registry.apps[0])
        try await bench.withLink(registry) { link in
            let aps: JSONObject = ["target-content-id": "room 7/ä"]
            #expect(await link.send(Bench.record(1, aps: aps)))
            _ = await link.answers(to: 1)
        }
        return "/v1/notifications/\(try #require(bench.list().first?.head.number))/responses"
    }

    private func respond(_ path: String, _ action: String = "default") async throws -> JSONObject {
        let answer = try await bench.ask(.POST, path, #"{"action":"\#(action)"}"#)
        #expect(answer.status == 201)
        return answer.body
    }

    @Test func `an app that is a web page is opened where the notification leads`() async throws {
        let path = try await prepare { $0.url = "https://chat.example.org/?lang=es#top" }
        let answer = try await respond(path)
        #expect(
            answer["launch"] == ["url": "https://chat.example.org/?lang=es&target=room%207%2F%C3%A4#top"]
        )
    }

    @Test func `an app with a start socket is started, once, and its page is not opened`() async throws {
        let socket = try StreamListener(path: bench.folder + "/start.sock")
        let path = try await prepare { app in
            app.url = "https://chat.example.org/"
            app.startSocket = socket.path
        }
        #expect(try await respond(path)["launch"] == nil)
        #expect(socket.accept())
        #expect(!socket.accept())
    }

    @Test func `an app that hears of responses is not started`() async throws {
        let socket = try StreamListener(path: bench.folder + "/start.sock")
        let path = try await prepare { $0.startSocket = socket.path }
        let center = bench.center
        try await center.listeningApps.with(bench.chat) {
            let launch = try await respond(path)["launch"]
            #expect(launch == nil)
        }
        let isListening = center.listeningApps.contains(try bench.chat)
        #expect(!isListening)
        #expect(!socket.accept())
    }

    @Test func `a socket at which nobody answers leaves the page`() async throws {
        let path = try await prepare { app in
            app.url = "https://chat.example.org"
            app.startSocket = bench.folder + "/nobody.sock"
        }
        let answer = try await respond(path)
        #expect(answer["launch"] == ["url": "https://chat.example.org?target=room%207%2F%C3%A4"])
    }

    @Test func `an app that has a desktop file is started by whoever shows notifications`() async throws {
        let path = try await prepare { $0.desktopEntry = "org.example.Chat" }
        let answer = try await respond(path)
        #expect(answer["launch"] == ["desktopEntry": "org.example.Chat"])
    }

    @Test func `a desktop file and a page are both told`() async throws {
        let path = try await prepare { app in
            app.desktopEntry = "org.example.Chat"
            app.url = "https://chat.example.org"
        }
        let answer = try await respond(path)
        let url: JSON = "https://chat.example.org?target=room%207%2F%C3%A4"
        #expect(answer["launch"] == ["desktopEntry": "org.example.Chat", "url": url])
    }

    @Test func `an app that is started for its settings is told when it comes, once`() async throws {
        let socket = try StreamListener(path: bench.folder + "/start.sock")
        _ = try await prepare { $0.startSocket = socket.path }
        _ = try await bench.center.ask([.alert, .providesAppNotificationSettings], bench.chat)
        let answer = try await bench.ask(.POST, "/v1/apps/\(Bench.topic)/open-settings", "{}")
        #expect(answer.status == 200)
        #expect(answer.body == [:])
        #expect(socket.accept())
        let key = try bench.chat
        for expected in ["event: openSettings\ndata: {}\n\n", "event: token\ndata: {\"token\":\"00\"}\n\n"] {
            let (texts, continuation) = AsyncStream<String>.makeStream()
            let reading = Task { [bench] in try await bench.stream { continuation.yield($0) }.run() }
            // The second stream is told of a token alone.
            let telling = Task { [bench] in
                while expected.contains("token"), !Task.isCancelled {
                    bench.center.appNews.tell(token: "00", of: key)
                    await Task.yield()
                }
            }
            let text = await texts.first { _ in true }
            #expect(text == expected)
            telling.cancel()
            reading.cancel()
            await telling.value
            _ = try? await reading.value
        }
    }

    @Test func `without either the response waits`() async throws {
        let path = try await prepare { _ in }
        #expect(try await respond(path)["launch"] == nil)
        #expect(try bench.center.store.responses(of: bench.chat, limit: 9).count == 1)
    }
}

/// A listening stream socket, as a socket unit has it.
private final class StreamListener {
    let path: String
    private let descriptor: CInt

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(result == 0 && listen(descriptor, 4) == 0)
    }

    deinit { close(descriptor) }

    /// Takes a connection that is there; false means that there is none.
    func accept() -> Bool {
        let accepted = Foundation.accept(descriptor, nil, nil)
        if accepted >= 0 { close(accepted) }
        return accepted >= 0
    }
}
