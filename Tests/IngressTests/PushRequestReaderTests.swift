// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NIOCore
import Testing

@testable import Ingress

struct PushRequestReaderTests {
    private func head() throws -> PushHead {
        try Fixture.validator().judge(PushRequest().provider, freshID: "fresh", now: Date())
    }

    private func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 0x20, count: count) }

    private func describe(_ step: PushRequestReader.Step) -> String {
        switch step {
        case .wait: "wait"
        case .accept(let push): "accept \(push.payloadByteCount)"
        case .refuse(let turndown): "refuse \(describe(turndown))"
        case .refuseEarly(let turndown): "refuse early \(describe(turndown))"
        }
    }

    private func describe(_ turndown: Turndown) -> String {
        switch turndown {
        case .judged(let refusal): refusal.reason
        case .fault(let fault): "\(fault)"
        }
    }

    @Test func `a body in pieces is one body`() throws {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        #expect(describe(reader.read(.success(try head()), contentLength: nil, isLast: false)) == "wait")
        #expect(describe(reader.read(ByteBuffer(string: #"{"aps""#), isLast: false)) == "wait")
        #expect(reader.heldByteCount == 6)
        #expect(describe(reader.read(ByteBuffer(string: ":{}}"), isLast: true)) == "accept 10")
        #expect(reader.hasEnded)
        #expect(reader.heldByteCount == 0)
    }

    @Test func `trailers end a body`() throws {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        _ = reader.read(.success(try head()), contentLength: nil, isLast: false)
        _ = reader.read(ByteBuffer(string: #"{"aps":{}}"#), isLast: false)
        #expect(describe(reader.end()) == "accept 10")
    }

    @Test func `a refusal waits for the end and keeps nothing`() {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        #expect(describe(reader.read(.failure(Refusal(.badTopic)), contentLength: 9, isLast: false)) == "wait")
        #expect(describe(reader.read(bytes(60_000), isLast: false)) == "wait")
        #expect(reader.heldByteCount == 0)
        #expect(describe(reader.read(bytes(5535), isLast: true)) == "refuse BadTopic")
    }

    @Test func `a body over the limit is swallowed to its end`() throws {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        _ = reader.read(.success(try head()), contentLength: nil, isLast: false)
        #expect(describe(reader.read(bytes(4097), isLast: false)) == "wait")
        #expect(reader.heldByteCount == 0)
        #expect(describe(reader.read(bytes(61_438), isLast: true)) == "refuse tooLong")
    }

    @Test func `beyond what is swallowed the answer comes at once, and once`() throws {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        _ = reader.read(.success(try head()), contentLength: nil, isLast: false)
        #expect(describe(reader.read(bytes(65_536), isLast: false)) == "refuse early tooLong")
        #expect(describe(reader.read(bytes(65_536), isLast: true)) == "wait")
    }

    @Test func `an announced length beyond what is swallowed is answered before the body`() {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        let step = reader.read(.failure(Refusal(.payloadTooLarge)), contentLength: 65_536, isLast: false)
        #expect(describe(step) == "refuse early PayloadTooLarge")
    }

    @Test func `a request times out once`() throws {
        var reader = PushRequestReader(swallowedByteCount: 65_535)
        _ = reader.read(.success(try head()), contentLength: nil, isLast: false)
        #expect(describe(reader.timeOut()) == "refuse early late")
        #expect(describe(reader.timeOut()) == "wait")
        #expect(describe(reader.read(bytes(2), isLast: true)) == "wait")
    }
}
