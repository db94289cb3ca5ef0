// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NIOHTTP1
import NotificationPayload
import SceneModel
import TestClock
import Testing

@testable import CenterLink
@testable import CenterServing

/// A centre with a host whose app has a content extension, and what its views are asked.
struct ViewBench {
    static let place = """
        {"width":360,"scale":2,"style":"light","textSize":1,"direction":"leftToRight","language":"en","timeZone":"UTC",\
        "reducedMotion":false}
        """
    static let first: JSONObject = ["set": [["id": 1, "k": "text", "up": 0, "text": "Hello"]]]

    let bench: Bench
    let host = RecordingViews()

    init(key: StoreKey? = nil) throws {
        bench = try Bench(key: key)
    }

    private static var registry: LinkRegistry {
        var registry = Bench.registry()
        registry.apps[0].content = ContentExtension(
            categories: ["photo"],
            initialSizeRatio: 0.6,
            takesInteraction: true
        )
        return registry
    }

    /// Serves a host with a content extension, which has delivered a notification of its category and one of another.
    ///
    /// `files` has the files of records that the body sends.
    func withHost(
        files: (any AttachmentKeeping)? = nil,
        _ body: (CenterConnection) async throws -> Void
    ) async throws {
        try await bench.withLink(Self.registry, files: files, views: host) { link in
            for (number, category) in [(1, "film"), (2, "photo")] as [(Int64, String)] {
                _ = await link.send(Bench.record(number, aps: ["category": .string(category)]))
            }
            _ = await link.answers(to: 2)
            while bench.center.host.isAbsent { try await Task.turn() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { while await link.answers() != nil {} }
                group.addTask { await link.serve() }
                do { try await body(link) } catch {
                    await link.close()
                    throw error
                }
                await link.close()
                group.cancelAll()
            }
        }
    }

    /// The numbers of both notifications.
    func numbers() throws -> (shown: Int64, other: Int64) {
        let list = try bench.list()
        return (list[0].head.number, list[1].head.number)
    }

    func open(_ number: Int64) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(.POST, "/v1/views", #"{"notification":"\#(number)","environment":\#(Self.place)}"#)
    }

    /// The events of a stream, as they come.
    struct Events {
        var iterator: AsyncStream<String>.Iterator

        mutating func expect(_ text: String?, sourceLocation: SourceLocation = #_sourceLocation) async {
            let event = await iterator.next(isolation: nil)
            #expect(event == text, sourceLocation: sourceLocation)
        }
    }

    /// The events of a view's stream, up to its end.
    func follow(_ number: String, _ body: (inout Events) async throws -> Void) async throws {
        let id = try #require(Int64(number))
        let view = try #require(bench.center.views.view(id, of: bench.me))
        let (texts, continuation) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await view.follow { text in
                    for event in text.split(separator: "\n\n") { continuation.yield(String(event)) }
                }
                continuation.finish()
            }
            defer { group.cancelAll() }
            var events = Events(iterator: texts.makeAsyncIterator())
            try await body(&events)
        }
    }

    /// The status of an answer to a caller who is not the owner at the socket; 0 is a stream.
    func status(
        _ access: Access,
        _ method: HTTPMethod,
        _ path: String,
        _ body: String = ""
    ) async throws -> UInt {
        let headers: HTTPHeaders = ["content-type": "application/json"]
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        let request = try #require(APIRequest(head, body: Array(body.utf8)))
        let api = OwnerAPIs(bench.center, clock: ManualClock()).api(of: access.owner)
        guard case .answer(let answer) = await api.reply(to: request, as: access) else { return 0 }
        return answer.status.code
    }

    /// Runs what looks after views beside the body.
    func withUpkeep(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { [bench] group in
            group.addTask { await bench.center.views.run(ManualClock(), of: bench.center) }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
