// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NotificationPayload
import TestClock
import Testing
import UserNotificationCenter

@testable import CenterServing

/// The calls of an app, and what becomes of its requests as time goes by.
@Suite(.timeLimit(.minutes(2)))
struct CallTests {
    private let bench: Bench
    private let desk: CallDesk
    private let scheduler: Scheduler

    init() async throws {
        bench = try Bench()
        desk = CallDesk(bench.center)
        scheduler = Scheduler(bench.center)
        try await bench.center.adopt(Bench.registry())
    }

    private func call(_ call: CenterCall) async throws -> CallAnswer {
        await desk.answer(call, of: try bench.chat)
    }

    private func request(
        _ trigger: RequestTrigger? = nil,
        as identifier: String = "sampleRequest",
        title: String = "Notification Title",
        badge: Int64? = nil
    ) -> CenterCall {
        var aps: JSONObject = ["alert": ["title": .string(title)]]
        aps["badge"] = badge.map(JSON.integer)
        let payload = Payload(["aps": .object(aps)])
        return .add(NotificationRequest(identifier: identifier, payload: payload, trigger: trigger))
    }

    /// Lets time go by and fires what is due.
    private func wait(_ seconds: Double) async throws {
        bench.time.advance(by: Int64(seconds * 1000))
        while try await scheduler.fire() {}
    }

    private func pending() async throws -> [String] {
        guard case .pending(let requests, false) = try await call(.pending(after: nil)) else { return [] }
        return requests.map(\.request.identifier)
    }

    private func allow() async throws {
        #expect(try await call(.authorize([.alert, .badge, .sound])) == .granted(true))
    }

    // MARK: Permission

    @Test func `an app that nobody has allowed adds nothing`() async throws {
        try await bench.center.adopt(Bench.registry(.ask))
        #expect(try await call(request()) == .failed(.notAllowed))
        #expect(try await call(.badge(3)) == .failed(.notAllowed))
        #expect(try await call(.badge(-1)) == .failed(.badgeInvalid))
        #expect(try bench.list().isEmpty)
    }

    @Test(arguments: [true, false])
    func `an app that asks waits for its owner, and is asked about once`(isAllowed: Bool) async throws {
        try await bench.center.adopt(Bench.registry(.ask))
        let key = try bench.chat
        async let first = desk.answer(.authorize([.alert, .sound]), of: key)
        async let second = desk.answer(.authorize([.alert]), of: key)
        while bench.center.watcherCount < 2 { try await Task.turn() }
        #expect(try bench.center.permission(of: key).question == [.alert, .sound])
        _ = try await bench.center.decide(.decide(isAllowed ? .allow(without: [.sound]) : .deny), key)
        #expect(await first == .granted(isAllowed))
        #expect(await second == .granted(isAllowed))
        #expect(try await call(.authorize([.alert])) == .granted(isAllowed))
        guard case .settings(let settings) = try await call(.settings) else {
            Issue.record("no settings")
            return
        }
        #expect(settings.alert == (isAllowed ? .enabled : .disabled))
        #expect(settings.sound == .disabled)
    }

    @Test func `a provisional app is not asked about, and lists without a banner`() async throws {
        try await bench.center.adopt(Bench.registry(.ask))
        #expect(try await call(.authorize([.alert, .provisional])) == .granted(true))
        #expect(try await call(request()) == .done)
        #expect(try bench.list().first?.head.presentation.flags == [.list])
    }

    // MARK: Requests

    @Test func `a request without a trigger is delivered when the call is answered`() async throws {
        try await allow()
        #expect(try await call(request(badge: 1)) == .done)
        #expect(try bench.titles() == ["Notification Title"])
        #expect(try bench.center.store.installation(bench.chat)?.badge == 1)
        let flags = try bench.list().first?.head.presentation.flags
        #expect(flags?.contains(.remote) == false)
    }

    @Test func `one of five seconds comes after five seconds and not before`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 5, repeats: false))) == .done)
        #expect(try await pending() == ["sampleRequest"])
        try await wait(4.999)
        #expect(try bench.list().isEmpty)
        try await wait(0.001)
        #expect(try bench.titles() == ["Notification Title"])
        #expect(try await pending() == [])
    }

    @Test func `added again before it fires it comes once, at the later time`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 5, repeats: false), title: "old")) == .done)
        try await wait(3)
        #expect(try await call(request(.interval(seconds: 10, repeats: false), title: "new")) == .done)
        try await wait(9)
        #expect(try bench.list().isEmpty)
        try await wait(1)
        #expect(try bench.titles() == ["new"])
        // After it fired: one row, new text, on top.
        #expect(try await call(request(as: "other", title: "other")) == .done)
        #expect(try await call(request(title: "newest")) == .done)
        #expect(try bench.titles() == ["newest", "other"])
    }

    @Test func `one that was removed never fires`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 5, repeats: false), as: "a")) == .done)
        #expect(try await call(request(.interval(seconds: 5, repeats: false), as: "b")) == .done)
        #expect(try await call(.removePending(.named(["a", "unknown"]))) == .done)
        #expect(try await pending() == ["b"])
        #expect(try await call(.removePending(.all)) == .done)
        try await wait(60)
        #expect(try bench.list().isEmpty)
    }

    @Test func `after a boot with an earlier wall an interval is late by no more than itself`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 100, repeats: true))) == .done)
        try await wait(1000)
        #expect(try bench.list().count == 1)
        bench.time.reboot()
        bench.time.setWall(by: -365 * 86_400_000)
        let center = Center(bench.center.store, clock: bench.time.clock(bootID: "second"), logger: Bench.logger)
        try await center.adopt(Bench.registry())
        try await Scheduler(center).dateAnew()
        let now = bench.time.clock.boot()
        #expect(try bench.center.store.pending(of: bench.chat).map(\.request.date.due) == [now + 100_000])
    }

    @Test func `a repeating one keeps its phase, replaces its row and stays pending`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 60, repeats: true))) == .done)
        try await wait(60)
        try await wait(150)
        #expect(try bench.list().count == 1)
        #expect(try await pending() == ["sampleRequest"])
        let kept = try bench.center.store.pending(of: bench.chat)
        let due = try #require(kept.first?.request.date.due)
        #expect(due == 1_000_000 + 4 * 60_000)
    }

    @Test func `a clock that is set moves an interval not at all, and a date of the wall with it`() async throws {
        try await allow()
        // It is 03:00 in UTC.
        let date = CalendarComponents([.hour: 4, .minute: 0], timeZone: "UTC")
        #expect(try await call(request(.interval(seconds: 60, repeats: false), as: "interval")) == .done)
        #expect(try await call(request(.calendar(date, repeats: false), as: "date")) == .done)
        bench.time.setWall(by: 86_400_000)
        try await wait(0)
        #expect(try bench.list().map { $0.content?.identifier } == ["date"])
        bench.time.setWall(by: -2 * 86_400_000)
        try await wait(59)
        #expect(try bench.list().count == 1)
        try await wait(1)
        #expect(try bench.list().map { $0.content?.identifier } == ["interval", "date"])
    }

    @Test func `after a boot an interval ends where it would have ended`() async throws {
        try await allow()
        #expect(try await call(request(.interval(seconds: 100, repeats: false), as: "soon")) == .done)
        #expect(try await call(request(.interval(seconds: 1000, repeats: false), as: "late")) == .done)
        bench.time.advance(by: 50_000)
        bench.time.reboot()
        bench.time.setWall(by: 200_000)
        let center = Center(bench.center.store, clock: bench.time.clock(bootID: "second"), logger: Bench.logger)
        try await center.adopt(Bench.registry())
        let next = Scheduler(center)
        try await next.dateAnew()
        while try await next.fire() {}
        #expect(try bench.list().map { $0.content?.identifier } == ["soon"])
        bench.time.advance(by: 749_999)
        while try await next.fire() {}
        #expect(try bench.list().count == 1)
        bench.time.advance(by: 1)
        while try await next.fire() {}
        #expect(try bench.list().count == 2)
    }

    @Test(arguments: [
        (RequestTrigger.interval(seconds: 0, repeats: false), CallFailure.noDate),
        (.interval(seconds: 59, repeats: true), .noDate),
        (.calendar(CalendarComponents([.month: 2, .day: 30]), repeats: false), .noDate),
        (.calendar(CalendarComponents([.hour: 9], timeZone: "Nowhere/Else"), repeats: false), .noDate),
        (.push, .noDate),
        (.region(.init(latitude: 91, longitude: 2, radius: 3), .init(identifier: "home")), .noDate),
    ])
    func `a trigger that never fires here is answered with an error`(
        trigger: RequestTrigger,
        failure: CallFailure
    ) async throws {
        try await allow()
        #expect(try await call(request(trigger)) == .failed(failure))
        #expect(try await pending() == [])
    }

    @Test func `of more than 64 the soonest stay, and one that is dropped at once hears so`() async throws {
        try await allow()
        for number in 1...64 {
            let seconds = Double(100 + number)
            #expect(try await call(request(.interval(seconds: seconds, repeats: false), as: "r\(number)")) == .done)
        }
        #expect(try await call(request(.interval(seconds: 1000, repeats: false), as: "late")) == .failed(.noDate))
        #expect(try await call(request(.interval(seconds: 10, repeats: false), as: "soon")) == .done)
        let kept = try await pending()
        #expect(kept.count == 64)
        #expect(kept.contains("soon"))
        #expect(!kept.contains("r64"))
    }

    @Test func `what was delivered is told and removed by its identifiers`() async throws {
        try await allow()
        for name in ["a", "b", "c"] { #expect(try await call(request(as: name)) == .done) }
        #expect(try await call(.removeDelivered(.named(["b", "unknown"]))) == .done)
        guard case .delivered(let kept, false) = try await call(.delivered(before: nil)) else {
            Issue.record("no answer")
            return
        }
        #expect(kept.map(\.request.identifier) == ["c", "a"])
        #expect(try await call(.removeDelivered(.all)) == .done)
        #expect(try bench.list().isEmpty)
    }

    @Test func `many that were delivered are told in packets as full as they may be, each once`() async throws {
        try await allow()
        // More than the store is asked for at once.
        for number in 0..<70 { #expect(try await call(request(as: "n\(number)")) == .done) }
        let long = String(repeating: "x", count: 60_000)
        for number in 0..<5 { #expect(try await call(request(as: "long\(number)", title: long)) == .done) }
        var found: [String] = []
        var before: Int64?
        var (hasMore, count) = (true, 0)
        while hasMore {
            guard case .delivered(let kept, let more) = try await call(.delivered(before: before)) else {
                Issue.record("no answer")
                return
            }
            found += kept.map(\.request.identifier)
            (before, hasMore, count) = (kept.last?.number, more, count + 1)
        }
        #expect(found == (0..<5).reversed().map { "long\($0)" } + (0..<70).reversed().map { "n\($0)" })
        // Each long one fills a packet, and all the others together another one.
        #expect(count == 6)
    }

    @Test func `categories replace one another, and outlive the centre`() async throws {
        try await allow()
        let reply = CategoryAction(identifier: "reply", title: "Reply")
        let message = NotificationCategory(identifier: "message", actions: [reply])
        #expect(try await call(.setCategories([message])) == .done)
        #expect(try await call(.categories) == .categories([message]))
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        #expect(try next.categories(of: bench.chat).registered.categories == [message])
        #expect(try await call(.setCategories([])) == .done)
        #expect(try await call(.categories) == .categories([]))
    }

    @Test func `categories may be set before the owner is asked`() async throws {
        try await bench.center.adopt(Bench.registry(.ask))
        let message = NotificationCategory(identifier: "message")
        #expect(try await call(.setCategories([message])) == .done)
        #expect(try await call(.categories) == .categories([message]))
        #expect(try bench.center.permission(of: bench.chat).status == .notDetermined)
    }

    @Test func `more apps than an owner may have are refused, and nothing of them is kept`() async throws {
        for number in 1...1000 {
            let key = try #require(InstallationKey(owner: bench.me, app: "app.number\(number)"))
            #expect(await desk.answer(.setCategories([]), of: key) == .done)
        }
        #expect(try await call(.authorize([.alert])) == .failed(.notAllowed))
        #expect(try await call(.setCategories([])) == .failed(.notAllowed))
        #expect(try await call(request()) == .failed(.notAllowed))
        #expect(try bench.center.store.installation(bench.chat) == nil)
    }

    @Test func `no token is given, because no host gives one over the link`() async throws {
        #expect(try await call(.register) == .failed(.noHost))
    }
}
