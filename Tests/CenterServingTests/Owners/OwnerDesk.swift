// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import HostRuntime
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterLink
@testable import CenterServing

/// A centre with the owners `me` and `ana`, asked as either of them.
struct OwnerDesk {
    let bench: Bench
    let ana: OwnerName
    private let apis: OwnerAPIs
    private let gate: WebGate
    private let registry: LinkRegistry

    init(registry: LinkRegistry) async throws {
        bench = try Bench()
        ana = try #require(OwnerName("ana"))
        self.registry = registry
        try await bench.center.adopt(owner: "ana")
        try await bench.center.adopt(registry)
        apis = OwnerAPIs(bench.center, clock: ContinuousClock())
        gate = WebGate(bench.center)
        _ = gate.open(try await gate.name(), port: 8787)
    }

    /// An answer with all that is said in it.
    struct Told {
        var status: UInt
        var text = ""

        var object: JSONObject { (try? JSONObject(parsing: Array(text.utf8).span, depthLimit: 64)) ?? [:] }

        /// Every text of the answer's JSON.
        var strings: Set<String> {
            var strings: Set<String> = []
            func collect(_ json: JSON) {
                if let text = json.string { strings.insert(text) }
                for element in json.array ?? [] { collect(element) }
                for member in json.object?.members ?? [] { collect(member.value) }
            }
            collect(.object(object))
            return strings
        }
    }

    func ask(_ owner: OwnerName, _ method: HTTPMethod, _ target: String, _ body: String? = nil) async throws -> Told {
        try await ask(.full(owner), method, target, body)
    }

    /// Status 0 is a stream, or a body that is taken.
    func ask(_ access: Access, _ method: HTTPMethod, _ target: String, _ body: String? = nil) async throws -> Told {
        let request = try request(method, target, body)
        switch await apis.api(of: access.owner).reply(to: request, as: access) {
        case .answer(let answer):
            var bytes: [UInt8] = []
            for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
                bytes += Array(buffer: buffer)
            }
            return Told(status: answer.status.code, text: String(decoding: bytes, as: UTF8.self))
        case .file(let file): return Told(status: file.status.code, text: "a file that is zebra")
        case .upload(let key), .app(let key, _):
            #expect(key.owner == access.owner)
            return Told(status: 0)
        case .view(let view):
            #expect(view.key.owner == access.owner)
            return Told(status: 0)
        case .events: return Told(status: 0)
        }
    }

    private func request(_ method: HTTPMethod, _ target: String, _ body: String?) throws -> APIRequest {
        let headers: HTTPHeaders = body == nil ? [:] : ["content-type": "application/json"]
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        return try #require(APIRequest(head, body: Array((body ?? "").utf8)))
    }

    /// Delivers records to `me`, and none to anybody else.
    func deliver(_ numbers: ClosedRange<Int64>, _ record: (Int64) -> OutboxRecord) async throws {
        let records = numbers.map(record)
        try await bench.withLink(registry) { link in
            for record in records { _ = await link.send(record) }
            _ = await link.answers(to: records.count)
        }
    }

    /// Sends a file as an app does, and returns its name.
    func upload(of key: InstallationKey) throws -> String {
        let bytes = BenchFiles.jpeg
        let place = try #require(bench.center.uploads.reserve(Int64(bytes.count), of: key, at: Bench.now))
        let draft = try bench.center.store.files.begin()
        try draft.append(bytes)
        let whole = FileShelf.File(id: draft.id, byteCount: draft.byteCount)
        return try #require(bench.center.uploads.keep(whole, at: place, at: Bench.now))
    }

    /// Signs a browser in, and returns the id of its session.
    func signIn(_ owner: OwnerName) async throws -> String {
        let code = try #require(try await ask(owner, .POST, "/v1/codes", "{}").object["code"]?.string)
        let request = try request(.POST, "/v1/sessions", #"{"code":"\#(code)"}"#)
        let (session, _) = try await gate.signIn(request, from: CallerAddress(nil))
        #expect(session.owner == owner)
        return session.id
    }

    /// The access that the port gives to whoever shows a token of the owner that may do everything.
    func tokenAccess(_ owner: OwnerName) async throws -> Access {
        let scopes = [
            "read", "respond", "settings", "position", "admin", "app:com.example.chat", "app:com.example.hidden",
        ]
        let wish: JSONObject = ["name": "all", "scopes": .array(scopes.map(JSON.string))]
        let text = String(decoding: wish.serialized, as: UTF8.self)
        let token = try #require(try await ask(owner, .POST, "/v1/tokens", text).object["token"]?.string)
        let headers: HTTPHeaders = ["host": "localhost:8787", "authorization": "Bearer \(token)"]
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/front", headers: headers)
        let request = try #require(APIRequest(head, body: []))
        guard case .known(let access) = try await gate.admit(head, request, from: CallerAddress(nil)) else {
            throw NobodyKnown()
        }
        #expect(access.owner == owner)
        return access
    }

    /// The first event that a watcher of the owner is told.
    func firstEvent(of owner: OwnerName, after number: Int64) async -> String? {
        let stream = EventStream(center: bench.center, owner: owner, hiding: nil, clock: ContinuousClock())
        return await first { write in try await stream.run(after: number, write: write) }
    }

    /// The first event that the app of the owner is told.
    func firstAppEvent(of owner: OwnerName) async throws -> String {
        let key = try #require(InstallationKey(owner: owner, app: Bench.topic))
        let api = apis.api(of: owner)
        let event = await first { write in
            let wishes = AppStream.Wishes(isInFront: false, silentPushes: false)
            try await AppStream(key, api, wishes, write: write).run()
        }
        return try #require(event)
    }

    private func first(
        _ run: @escaping @Sendable (@escaping @Sendable (String) async throws -> Void) async throws -> Void
    ) async -> String? {
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let task = Task {
            try await run { continuation.yield($0) }
            continuation.finish()
        }
        var found: String?
        for await text in texts {
            found = text
            break
        }
        task.cancel()
        _ = try? await task.value
        return found
    }
}

/// The gate did not let somebody in who showed a token.
private struct NobodyKnown: Error {}
