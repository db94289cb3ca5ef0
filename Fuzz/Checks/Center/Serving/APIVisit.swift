// SPDX-License-Identifier: Apache-2.0

import CenterServing
import CenterStore
private import NIOCore
private import NIOHTTP1
private import NotificationPayload
private import UserNotificationCenter

/// The requests of one owner, and what the centre had and has of that owner.
struct APIVisit {
    private let desk: APIDesk
    private let owner: OwnerName
    private let api: CenterAPI
    /// The last code that was made, until it is taken.
    private var code: String?

    init(desk: APIDesk, owner: OwnerName, api: CenterAPI) {
        self.desk = desk
        self.owner = owner
        self.api = api
    }

    /// Makes a request; true if it was carried out.
    mutating func make(_ request: APIScript.Request) async throws(BrokenPromise) -> Bool {
        let body = String(decoding: request.body, as: UTF8.self).replacing("CODE", with: code ?? "CODE")
        guard let read = APIRequest(request.head, body: Array(body.utf8)) else { return false }
        if request.head.method == .POST, read.path == ["sessions"] { return try await signIn(read) }
        let before = try state()
        let isReading = request.head.method == .GET || request.head.method == .HEAD
        switch await api.reply(to: read, as: .full(owner)) {
        case .events(let number, let hiding, let kind):
            let isForLock = read["surface"] == "lock"
            try expect((hiding != nil) == isForLock, "a lock view hides, and no other does")
            let word = read["surface"].flatMap { ["page", "desktop", "terminal"].contains($0) ? $0 : nil }
            try expect(kind?.rawValue == word, "a surface is of the kind that was asked for")
            try expect(kind == nil || hiding == nil, "a lock view is no surface")
            let seen =
                request.head.headers["last-event-id"].first.map { Int64($0) }
                ?? (try? read.number("after", in: 0...Int64.max))
            try expect(number >= 0 && number == seen ?? before.owner.position, "events begin behind the last one")
            try expect(try state() == before, "who watches changes nothing")
        case .app(let key, _):
            try expect(key.owner == owner, "a stream is of the owner's own app")
            try expect(try state() == before, "an app that listens changes nothing")
        case .view(let view):
            try expect(view.key.owner == owner, "a view is the owner's own")
            try expect(try state() == before, "who watches changes nothing")
        case .file, .upload: try expect(try state() == before, "a file is read, or not begun yet")
        case .answer(let answer):
            let object = try object(of: answer)
            let after = try state()
            try expect(answer.status.code < 500, "the centre can answer: \(answer.status.code)")
            try expect(!isReading || after == before, "who reads changes nothing")
            if answer.status.code >= 400 {
                try expect(after == before, "a request that is refused changes nothing")
                try expect(object["reason"]?.string != nil, "a refusal has a reason")
                return false
            }
            if let made = object["code"]?.string { code = made }
            try after.check(since: before)
        }
        return true
    }

    /// Takes a code to a session, once.
    private mutating func signIn(_ request: APIRequest) async throws(BrokenPromise) -> Bool {
        let own = code
        let shown = try? request.object()["code"]?.string
        do {
            let (session, _) = try await desk.gate.signIn(request, from: CallerAddress(nil))
            try expect(session.owner == owner && session.kind == .session, "a code leads to its owner's session")
            try expect(own != nil && shown == own, "only a code that was made is taken")
        } catch let broken as BrokenPromise {
            throw broken
        } catch {
            try expect(own == nil || shown != own, "a code that was made is taken: \(error)")
            return false
        }
        let isTaken = (try? await desk.gate.signIn(request, from: CallerAddress(nil))) != nil
        try expect(!isTaken, "a code is taken once")
        code = nil
        return true
    }

    private func object(of answer: APIAnswer) throws(BrokenPromise) -> JSONObject {
        var bytes: [UInt8] = []
        for case .body(.byteBuffer(let buffer)) in answer.parts(isHeadOnly: false, isLast: false) {
            bytes += Array(buffer: buffer)
        }
        guard !bytes.isEmpty else { return [:] }
        guard let object = try? JSONObject(parsing: bytes.span, depthLimit: 64) else {
            throw BrokenPromise("an answer can be read")
        }
        return object
    }

    private func state() throws(BrokenPromise) -> OwnerState {
        do {
            var query = PageQuery(limit: 1000)
            query.flags = []
            guard let record = try desk.center.store.owner(owner) else { throw BrokenPromise("an owner stays") }
            return OwnerState(
                owner: record,
                installations: try desk.center.store.installations(of: owner),
                list: try desk.center.store.page(query, of: owner)?.items ?? [],
                history: try desk.center.store.history(of: owner, before: .max, limit: 1000)
            )
        } catch let broken as BrokenPromise {
            throw broken
        } catch {
            throw BrokenPromise("there is a disk: \(error)")
        }
    }
}

/// All that the store has of an owner.
private struct OwnerState: Equatable {
    let owner: OwnerRecord
    let installations: [Installation]
    let list: [StoredNotification]
    let history: [StoredNotification]

    func check(since before: OwnerState) throws(BrokenPromise) {
        try expect(owner.position >= before.owner.position, "numbers rise")
        try expect(owner.seen >= before.owner.seen && owner.seen <= owner.position, "the read mark rises")
        let numbers = list.map(\.head.number)
        try expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, "a list has the newest first")
        try expect(numbers.allSatisfy { (1...owner.position).contains($0) }, "a number was given")
        try expect(Set(numbers).isDisjoint(with: history.map(\.head.number)), "what is closed is not listed")
        let names = list.map { "\($0.head.installation) \($0.content?.identifier ?? "")" }
        try expect(Set(names).count == names.count, "a newer one takes the place of an older one")
        try expect(installations.allSatisfy { $0.badge >= 0 }, "a badge is not negative")
        try expect(
            list.allSatisfy { $0.content != nil } && history.allSatisfy { $0.content != nil },
            "a content can be read"
        )
    }
}
