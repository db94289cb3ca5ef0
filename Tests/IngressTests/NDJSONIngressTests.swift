// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import NotificationPayload
import Testing

@testable import Ingress

struct NDJSONIngressTests {
    private struct Run {
        let refused: Int
        let refusals: [String]
    }

    private func run(
        _ input: String,
        acceptor: any PushAcceptor,
        conformance: Conformance = .lenient
    ) async throws -> Run {
        let (input, output) = (TestPipe(containing: Array(input.utf8)), TestPipe())
        let ingress = NDJSONIngress(
            input: input.reading,
            refusals: output.writing,
            tokens: Fixture.tokens,
            firstToken: { $0 == Fixture.topic ? Fixture.token : nil },
            conformance: conformance,
            acceptor: acceptor,
            logger: Fixture.silentLogger,
            retryDelay: .milliseconds(1)
        )
        let refused = try await ingress.run()
        output.closeWriting()
        return Run(refused: refused, refusals: output.readLines())
    }

    private func line(_ headers: String, token: String = Fixture.token, payload: String = Fixture.body) -> String {
        #"{"token":"\#(token)","headers":\#(headers),"payload":\#(payload)}"# + "\n"
    }

    @Test(.timeLimit(.minutes(5))) func `lines become pushes in their order`() async throws {
        let acceptor = RecordingAcceptor()
        let input =
            line(#"{"apns-topic":"com.example.chat","apns-id":"\#(Fixture.id)","apns-priority":"5"}"#)
            + line(#"{"apns-collapse-id":"c","apns-priority":1}"#)
        let run = try await run(input, acceptor: acceptor)
        #expect(run.refused == 0)
        #expect(run.refusals == [])
        #expect(acceptor.pushes.map(\.id).first == Fixture.id.lowercased())
        #expect(acceptor.pushes.map(\.identifier).last == "c")
        #expect(acceptor.pushes.map(\.priority) == [.powerAware, .low])
        #expect(acceptor.pushes.map(\.payload.serialized) == [Array(Fixture.body.utf8), Array(Fixture.body.utf8)])
    }

    @Test(.timeLimit(.minutes(5))) func `a bare payload goes to the first device of the app it names`() async throws {
        let acceptor = RecordingAcceptor()
        let input = #"{"Simulator Target Bundle":"com.example.chat","aps":{"alert":"x"},"a":1}"#
        let run = try await run(input, acceptor: acceptor)
        #expect(run.refused == 0)
        #expect(acceptor.pushes.map(\.deviceToken) == [Fixture.token])
        #expect(acceptor.pushes.map(\.topic) == [Fixture.topic])
        #expect(acceptor.pushes.first?.payload.object == ["aps": ["alert": "x"], "a": 1])
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (#"{"apns-id":"\#(Fixture.id)","apns-topic":"com.example.nobody"}"#, "BadTopic", 400),
            (#"{"apns-id":"\#(Fixture.id)","APNS-Topic":"a","apns-topic":"b"}"#, "DuplicateHeaders", 400),
            (#"{"apns-id":"\#(Fixture.id)","apns-priority":"7"}"#, "BadPriority", 400),
        ]
    )
    func `a refused push is told by its id`(_ headers: String, _ reason: String, _ status: Int) async throws {
        let acceptor = RecordingAcceptor()
        let run = try await run(line(headers) + line("{}"), acceptor: acceptor)
        #expect(run.refused == 1)
        #expect(run.refusals == [#"{"id":"\#(Fixture.id)","status":\#(status),"reason":"\#(reason)"}"#])
        #expect(acceptor.pushes.count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `a token is judged as in a request`() async throws {
        let id = #"{"apns-id":"\#(Fixture.id)"}"#
        let topic = #"{"apns-id":"\#(Fixture.id)","apns-topic":"com.example.chat"}"#
        let run = try await run(
            line(topic, token: "") + line(topic, token: "00") + line(topic, token: Fixture.otherToken)
                + line(id, payload: #"{"a":1}"#)
                + line(id, payload: #"{"aps":{},"x":"\#(String(repeating: "a", count: 4096))"}"#),
            acceptor: RecordingAcceptor()
        )
        let reasons = ["MissingDeviceToken", "BadDeviceToken", "DeviceTokenNotForTopic", "PayloadEmpty"]
        #expect(
            run.refusals
                == reasons.map { #"{"id":"\#(Fixture.id)","status":400,"reason":"\#($0)"}"# } + [
                    #"{"id":"\#(Fixture.id)","status":413,"reason":"PayloadTooLarge"}"#
                ]
        )
    }

    @Test(.timeLimit(.minutes(5))) func `a line that is no push is told by its number, and the next is read`()
        async throws
    {
        let acceptor = RecordingAcceptor()
        let long = line(#"{"x":"\#(String(repeating: "a", count: 70_000))"}"#)
        let input =
            line("{}") + "hello\n" + "\n" + "{\"a\":1}\n" + long + line("[]") + line(#"{"apns-id":null}"#)
            + "{\"payload\":{}" + "\n" + line("{}")
        let run = try await run(input, acceptor: acceptor)
        #expect(run.refused == 6)
        #expect(
            run.refusals == [
                #"{"line":2,"status":400,"reason":"PayloadEmpty"}"#,
                #"{"line":4,"status":400,"reason":"PayloadEmpty"}"#,
                #"{"line":5,"status":413,"reason":"PayloadTooLarge"}"#,
                #"{"line":6,"status":400,"reason":"PayloadEmpty"}"#,
                #"{"line":7,"status":400,"reason":"PayloadEmpty"}"#,
                #"{"line":8,"status":400,"reason":"PayloadEmpty"}"#,
            ]
        )
        #expect(acceptor.pushes.count == 2)
    }

    @Test(.timeLimit(.minutes(5))) func `a payload is as deep here as over the network`() async throws {
        func nested(_ depth: Int) -> String {
            #"{"aps":{},"a":\#(String(repeating: "[", count: depth - 1))\#(String(repeating: "]", count: depth - 1))}"#
        }
        let acceptor = RecordingAcceptor()
        let bare = nested(17).dropLast() + #","Simulator Target Bundle":"com.example.chat"}"# + "\n"
        let run = try await run(
            line("{}", payload: nested(16)) + line("{}", payload: nested(17)) + bare,
            acceptor: acceptor
        )
        #expect(run.refused == 2)
        #expect(acceptor.pushes.count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `a host without room holds the reader back, and loses nothing`() async throws {
        let acceptor = ReluctantAcceptor()
        let input = (0..<600).map { line(#"{"apns-collapse-id":"\#($0)"}"#) }.joined()
        let run = try await run(input, acceptor: acceptor)
        #expect(run.refused == 0)
        #expect(acceptor.accepted == (0..<600).map { "\($0)" })
        #expect(acceptor.largestBatch <= 256)
    }

    @Test(.timeLimit(.minutes(5))) func `cancelled, it stops reading an open input`() async throws {
        let (input, output) = (TestPipe(containing: Array(line("{}").utf8), closed: false), TestPipe())
        let acceptor = HoldingAcceptor()
        let ingress = NDJSONIngress(
            input: input.reading,
            refusals: output.writing,
            tokens: Fixture.tokens,
            firstToken: { _ in nil },
            acceptor: acceptor,
            logger: Fixture.silentLogger
        )
        let reading = Task { try await ingress.run() }
        await acceptor.waitForPushes(1)
        acceptor.release()
        reading.cancel()
        #expect(try await reading.value == 0)
    }
}

/// Takes the first push of each batch and has no room for the rest.
private final class ReluctantAcceptor: PushAcceptor {
    private let state = Locked<(accepted: [String], largestBatch: Int)>(([], 0))

    var accepted: [String] { state.withLock { $0.accepted } }
    var largestBatch: Int { state.withLock { $0.largestBatch } }

    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
        let half = (batch.count + 1) / 2
        state.withLock { state in
            state.accepted += batch.prefix(half).map(\.identifier)
            state.largestBatch = max(state.largestBatch, batch.count)
        }
        answer(0, batch.indices.map { $0 < half ? .accepted : $0.isMultiple(of: 2) ? .deviceBusy : .unavailable })
    }
}

struct LineSplitterTests {
    private func split(_ chunks: [String], limit: Int = 10) -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [(number: Int, line: LineSplitter.Line)] = []
        for chunk in chunks { splitter.read(Array(chunk.utf8)[...], into: &lines) }
        splitter.end(into: &lines)
        return lines.map { number, line in
            switch line {
            case .text(let bytes): "\(number) \(String(decoding: bytes, as: UTF8.self))"
            case .tooLong: "\(number) too long"
            }
        }
    }

    @Test func `lines come whole however they are cut`() {
        #expect(split(["a\nb\n"]) == ["1 a", "2 b"])
        #expect(split(["a", "b", "\n", "c"]) == ["1 ab", "2 c"])
        #expect(split(["\n \r\n\t\na\n"]) == ["4 a"])
        #expect(split([""]) == [])
    }

    @Test func `a line over the limit is dropped, whatever its pieces`() {
        #expect(split(["0123456789\n"]) == ["1 0123456789"])
        #expect(split(["0123456789a\nb\n"]) == ["1 too long", "2 b"])
        #expect(split(["012345", "6789", "a", "b\nc"]) == ["1 too long", "2 c"])
        #expect(split(["0123456789a"]) == ["1 too long"])
    }
}
