// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostRuntime
import Keychain
import Locking
import TestClock
import Testing

@testable import WorkerSupervisor

/// The calls of a worker to its app's keychain.
@Suite(.timeLimit(.minutes(5)))
struct KeychainSupervisionTests {
    /// Carries out each word of a payload, and tells the answers.
    private static let script = """
        #!/usr/bin/python3
        import base64, json, os, select, signal, socket, struct, sys, time
        \(SupervisorHarness.speech)
        receive()
        send(0x81, 0, {"protocol": 1})
        calls = {
            "add": {"call": "add", "item": {"key": "k", "attributes": {}}, "secret": "AQI="},
            "read": {"call": "read", "key": "k"},
            "remove": {"call": "remove", "key": "k"},
            "another app": {"call": "read", "key": "k", "app": "com.example.a", "topic": "com.example.a"},
        }
        while True:
            kind, number, body = receive()
            if kind == 4: sys.exit(0)
            answers = []
            what = body["payload"]["behave"]
            if what == "two at once": send(0x84, 0, calls["read"]); send(0x84, 0, calls["read"]); receive(); receive()
            if what == "no call": send(0x84, 0, {"call": "open"}); receive()
            if what == "unread":
                big = base64.b64encode(bytes(16384)).decode()
                send(0x84, 0, {"call": "add", "item": {"key": "big", "attributes": {}}, "secret": big})
                receive()
                for _ in range(60):
                    send(0x84, 0, {"call": "read", "key": "big"})
                    time.sleep(0.02)
                while True: signal.pause()
            if what == "ask and exit":
                send(0x84, 0, calls["read"])
                select.select([host], [], [])
                os._exit(3)
            if what == "many":
                for _ in range(1100):
                    send(0x84, 0, calls["read"])
                    last = receive()[2]["answer"]
                send(0x82, number, {"payload": {"aps": {"alert": last}}})
                continue
            for word in what.split(", "):
                send(0x84, 0, calls[word])
                kind, zero, answer = receive()
                answers.append(answer.get("secret", answer["answer"]) if (kind, zero) == (5, 0) else "?")
            send(0x82, number, {"payload": {"aps": {"alert": ", ".join(answers)}}})
        """

    /// Keychains in memory, one for each app and owner.
    private final class Keychains: Sendable {
        private let items = Locked<[OwnedApp: KeychainItems]>([:])

        func answer(_ call: KeychainCall, _ app: OwnedApp) -> KeychainAnswer {
            items.withLock { $0[app, default: KeychainItems()].carryOut(call) }
        }
    }

    private static func withHarness(
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        let keychains = Keychains()
        try await SupervisorHarness.withHarness(
            script: script,
            apps: ["com.example.a", "com.example.b"],
            keychain: { call, app, _ in keychains.answer(call, app) },
            body
        )
    }

    @Test func `a worker has its app's items, and another app's worker has not`() async throws {
        try await Self.withHarness { harness in
            let first = await harness.run("add, add, read", of: "com.example.a")
            #expect(first.alert == "done, duplicate, AQI=")
            let other = await harness.run("read, another app, remove", of: "com.example.b")
            #expect(other.alert == "absent, absent, absent")
            #expect(await harness.run("read, remove, read", of: "com.example.a").alert == "AQI=, done, absent")
        }
    }

    @Test func `a second call before the answer is a violation`() async throws {
        // The first call has no answer before the second was read.
        let gate = DispatchSemaphore(value: 0)
        let keychain: @Sendable (KeychainCall, OwnedApp, Bool) -> KeychainAnswer = { _, _, _ in
            gate.wait()
            return .done
        }
        try await SupervisorHarness.withHarness(script: Self.script, keychain: keychain) { harness in
            let result = await harness.run("two at once")
            gate.signal()
            #expect(result.conclusion == .failed(.protocolViolation))
        }
    }

    @Test func `one that exits with an answer unread had its request, which no other worker gets`() async throws {
        try await Self.withHarness { harness in
            let result = await harness.run("ask and exit", of: "com.example.a")
            #expect(result.conclusion == .failed(.exitedEarly))
            #expect(await harness.counts(of: "com.example.a").given == 1)
            #expect(await harness.counts(of: "com.example.a").starts == 2)
        }
    }

    @Test func `a worker that leaves its answers unread ends before they fill the host`() async throws {
        try await Self.withHarness { harness in
            let result = await harness.run("unread", of: "com.example.a")
            #expect(result.conclusion == .failed(.protocolViolation))
        }
    }

    @Test func `what is no call is a violation`() async throws {
        try await Self.withHarness { harness in
            let result = await harness.run("no call", of: "com.example.a")
            #expect(result.conclusion == .failed(.protocolViolation))
        }
    }

    @Test func `calls beyond the rate fail, and their worker lives`() async throws {
        let keychains = Keychains()
        // By a clock that stands still nothing comes back to the allowance, however long the calls take.
        try await SupervisorHarness.withHarness(
            script: Self.script,
            clock: HostClock(ManualClock()),
            startLimit: .seconds(1000),
            keychain: { call, app, _ in keychains.answer(call, app) }
        ) { harness in
            #expect(await harness.run("many").alert == "failed")
        }
    }

    @Test func `without a keychain every call fails`() async throws {
        try await SupervisorHarness.withHarness(script: Self.script) { harness in
            #expect(await harness.run("add, read").alert == "failed, failed")
        }
    }
}
