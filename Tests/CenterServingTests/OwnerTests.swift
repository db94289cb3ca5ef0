// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import HostRuntime
import Locking
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterLink
@testable import CenterServing

/// The wishes of an owner about apps and hours, and what becomes of notifications then.
@Suite(.timeLimit(.minutes(2)))
struct OwnerTests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: String? = nil
    ) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(method, "/v1/\(target)", body)
    }

    private func arrive(_ title: String, _ number: Int64 = 1, aps: JSONObject = ["sound": "default"]) async throws {
        try await bench.withLink { link in
            _ = await link.send(Bench.record(number, title: title, aps: aps))
            _ = await link.answers(to: 1)
        }
    }

    private func flags() throws -> [HeadFlags] { try bench.list().map(\.head.presentation.flags) }

    // MARK: Settings of an app

    @Test func `a switch that is off holds for what comes then`() async throws {
        try await arrive("before")
        let answer = try await ask(.PATCH, "apps/\(Bench.topic)/settings", #"{"sound":false,"lock":false}"#)
        #expect(answer.status == 200)
        #expect(answer.body["sound"]?.bool == false)
        #expect(answer.body["alert"]?.bool == true)
        try await arrive("after", 2)
        #expect(try flags() == [[.banner, .list, .remote], [.banner, .list, .lock, .sound, .remote]])
        #expect(try await ask(.GET, "apps/\(Bench.topic)/settings").body == answer.body)
    }

    @Test(arguments: [
        (#"{"sound":"no"}"#, #""sound" is of another kind"#),
        (#"{"style":"loud"}"#, #""style" is none of the words that it may be"#),
        // Also of a switch that is not offered.
        (#"{"sound":false,"criticalAlert":{}}"#, #""criticalAlert" is of another kind"#),
    ])
    func `a setting that is none changes nothing`(body: String, message: String) async throws {
        let former = try await ask(.GET, "apps/\(Bench.topic)/settings").body
        let answer = try await ask(.PATCH, "apps/\(Bench.topic)/settings", body)
        #expect(answer.status == 400)
        #expect(answer.body["message"]?.string == message)
        #expect(try await ask(.GET, "apps/\(Bench.topic)/settings").body == former)
    }

    @Test func `a switch that the operator forbids is offered to nobody, and changed by nobody`() async throws {
        let target = "apps/\(Bench.topic)/settings"
        let answer = try await ask(.PATCH, target, #"{"criticalAlert":true,"sound":false}"#)
        let settings: JSONObject = [
            "alert": true, "sound": false, "badge": true, "list": true, "lock": true, "timeSensitive": true,
            "style": "banner", "previews": "always", "grouping": "automatic",
        ]
        #expect(answer.status == 200 && answer.body == settings)
        #expect(try await ask(.GET, target).body == settings)
        func app(_ list: String) async throws -> JSONObject? {
            try await ask(.GET, list).body["apps"]?.array?.first?.object?["settings"]?.object
        }
        #expect(try await app("apps") == settings)
        #expect(try await app("front") == settings)
        // The operator allows it: it is as the owner left it, which is off.
        try await bench.center.adopt(registry(criticalAlerts: true))
        var allowed = settings
        allowed["criticalAlert"] = false
        #expect(try await ask(.GET, target).body == allowed)
        #expect(try await app("front") == allowed)
        allowed["criticalAlert"] = true
        #expect(try await ask(.PATCH, target, #"{"criticalAlert":true}"#).body == allowed)
    }

    @Test func `who watches is told of critical alerts that the operator allows or forbids, and of nothing else`()
        async throws
    {
        try await arrive("before")
        try await bench.center.announcements.withFeed(of: bench.me) { feed in
            for isAllowed in [true, false] {
                try await bench.center.adopt(registry(criticalAlerts: isAllowed))
                let news = feed.take()
                #expect(news.looks == [Bench.topic] && news.events.isEmpty)
                let texts = LookNews(center: bench.center).texts(of: news.looks, for: bench.me, limit: 16)
                let text = try #require(texts.first)
                #expect(texts.count == 1 && text.hasPrefix("event: app\n"))
                #expect(text.contains(#""criticalAlert":"#) == isAllowed)
                try await bench.center.adopt(registry(criticalAlerts: isAllowed))
                #expect(feed.take().looks.isEmpty)
            }
        }
    }

    private func registry(criticalAlerts isAllowed: Bool) -> LinkRegistry {
        var registry = Bench.registry()
        registry.apps[0].allowsCriticalAlerts = isAllowed
        return registry
    }

    @Test func `an app that nobody knows has no settings`() async throws {
        #expect(try await ask(.GET, "apps/com.example.other/settings").status == 404)
        #expect(try await ask(.PATCH, "apps/com.example.other/settings", "{}").status == 404)
    }

    // MARK: The owner

    @Test func `wishes are kept, each by itself, and taken back`() async throws {
        let quiet = #"{"mode":"daily","from":"22:00","to":"07:00","exceptions":["com.example.alarm"]}"#
        _ = try await ask(.PATCH, "owner", #"{"language":"es","zone":"Europe/Madrid"}"#)
        let answer = try await ask(.PATCH, "owner", #"{"doNotDisturb":\#(quiet)}"#)
        #expect(answer.status == 200)
        #expect(answer.body["language"]?.string == "es")
        #expect(answer.body["zone"]?.string == "Europe/Madrid")
        #expect(answer.body["doNotDisturb"]?.object == (try JSONObject(parsing: Array(quiet.utf8).span)))
        let again = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        #expect(try again.wishes(of: bench.me).zone.identifier == "Europe/Madrid")
        let back = try await ask(.PATCH, "owner", #"{"language":null,"zone":null,"doNotDisturb":null}"#)
        #expect(back.body["language"] == .null)
        #expect(back.body["doNotDisturb"]?.object == ["mode": "off"])
    }

    @Test(arguments: [
        (#"{"zone":"Europe/Nowhere"}"#, #""zone" is none of the words that it may be"#),
        (#"{"language":7}"#, #""language" is of another kind"#),
        (#"{"doNotDisturb":{"mode":"until"}}"#, #""until" is missing"#),
        (
            #"{"doNotDisturb":{"mode":"daily","from":"7","to":"08:00"}}"#,
            #""from" is no time: write HH:MM, or a date as 2026-11-21T03:00:00.000Z"#
        ),
        (
            #"{"doNotDisturb":{"mode":"daily","from":"08:00","to":"08:00"}}"#,
            #""from" and "to" are the same minute"#
        ),
        (#"{"summary":{"times":["08:00","08:00"],"apps":[]}}"#, #""times" names one thing twice"#),
    ])
    func `a wish that cannot be kept changes nothing`(body: String, message: String) async throws {
        let answer = try await ask(.PATCH, "owner", body)
        #expect(answer.status == 400)
        #expect(answer.body["message"]?.string == message)
        #expect(try bench.center.wishes(of: bench.me) == OwnerWishes())
    }

    @Test func `a watcher hears that wishes and settings changed`() async throws {
        let former = try #require(try bench.center.store.owner(bench.me)).position
        _ = try await ask(.PATCH, "owner", #"{"language":"pt"}"#)
        _ = try await ask(.PATCH, "apps/\(Bench.topic)/settings", #"{"sound":false}"#)
        let changes = try bench.center.store.changes(of: bench.me, since: former, limit: 10)
        guard case .changes(let changes, _, _) = changes else {
            Issue.record("a reset")
            return
        }
        #expect(changes.count == 2)
    }

    @Test func `dates without a zone of their own follow the owner's`() async throws {
        _ = try await ask(.PATCH, "owner", #"{"zone":"Europe/Madrid"}"#)
        func add(_ identifier: String, _ zone: String) async throws {
            let components = #"{"hour":9,"minute":0\#(zone)}"#
            let trigger = #"{"type":"calendar","components":\#(components),"repeats":true}"#
            let payload = #"{"aps":{"alert":"a"}}"#
            let request = #"{"identifier":"\#(identifier)","payload":\#(payload),"trigger":\#(trigger)}"#
            let call = #"{"call":"add","request":\#(request)}"#
            #expect(try await ask(.POST, "app/\(Bench.topic)/calls", call).status == 200)
        }
        func hours(in zone: String) throws -> [String: Int] {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: zone))
            return try bench.center.store.pending(of: bench.chat).reduce(into: [:]) { hours, pending in
                let due = Double(pending.request.date.due ?? 0) / 1000
                let hour = calendar.component(.hour, from: Date(timeIntervalSince1970: due))
                hours[pending.request.content.identifier] = hour
            }
        }
        try await add("floating", "")
        try await add("fixed", #","timeZone":"Europe/Madrid""#)
        #expect(try hours(in: "Europe/Madrid") == ["floating": 9, "fixed": 9])
        _ = try await ask(.PATCH, "owner", #"{"zone":"Asia/Tokyo"}"#)
        #expect(try hours(in: "Asia/Tokyo")["floating"] == 9)
        #expect(try hours(in: "Europe/Madrid")["fixed"] == 9)
        let first = try #require(try bench.center.store.pending(of: bench.chat).compactMap(\.request.date.due).min())
        #expect(first > Bench.now)
    }

    @Test func `dates follow the machine's zone where their owner has named none, once for each change`() async throws {
        let trigger = #"{"type":"calendar","components":{"hour":9,"minute":0},"repeats":true}"#
        let request = #"{"identifier":"a","payload":{"aps":{"alert":"a"}},"trigger":\#(trigger)}"#
        let call = #"{"call":"add","request":\#(request)}"#
        #expect(try await ask(.POST, "app/\(Bench.topic)/calls", call).status == 200)
        func due() throws -> Int64? { try bench.center.store.pending(of: bench.chat).first?.request.date.due }
        let right = try due()
        let id = try #require(try bench.center.store.pending(of: bench.chat).first?.id)
        let zone = Locked("Etc/UTC")
        let watch = ZoneWatch(bench.center) { zone.withLock(\.self) }
        try await watch.look()
        // As dated in another zone: whoever looks and finds the same zone leaves it.
        let wrong = Bench.now + 7
        _ = try await bench.center.perform([.redate(pending: id, DueDate(due: wrong))])
        try await watch.look()
        #expect(try due() == wrong)
        zone.withLock { $0 = "Asia/Tokyo" }
        try await watch.look()
        #expect(try due() == right)
        // The next centre knows for which zone the dates are, and what is due is left to the scheduler.
        _ = try await bench.center.perform([.redate(pending: id, DueDate(due: wrong))])
        let next = Center(bench.center.store, clock: bench.time.clock, logger: Bench.logger)
        try await ZoneWatch(next) { "Asia/Tokyo" }.look()
        #expect(try due() == wrong)
        bench.time.advance(by: 7)
        try await ZoneWatch(next) { "Etc/UTC" }.look()
        #expect(try due() == wrong)
    }

    @Test(arguments: [
        ("/usr/share/zoneinfo/Europe/Madrid", "Europe/Madrid"), ("../usr/share/zoneinfo/Etc/UTC", "Etc/UTC"),
        ("/usr/share/zoneinfo/Europe/Nowhere", nil), ("/etc/zone", nil), ("", nil),
    ])
    func `the zone of the machine is that to which its link leads`(link: String, zone: String?) {
        #expect(ZoneWatch.zone(inLink: link) == zone)
    }

    // MARK: Do Not Disturb

    @Test func `while it is quiet what comes is a row of the list and no more`() async throws {
        let end = Moment(milliseconds: Bench.now + 20_000).text
        let body = #"{"doNotDisturb":{"mode":"until","until":"\#(end)"}}"#
        let quiet = try await ask(.PATCH, "owner", body).body
        #expect(quiet["isQuiet"]?.bool == true && quiet["quietUntil"]?.string == end)
        try await arrive("quiet")
        bench.time.advance(by: 20_000)
        let loud = try await ask(.GET, "owner").body
        #expect(loud["isQuiet"]?.bool == false && loud["quietUntil"] == nil)
        try await arrive("loud", 2)
        #expect(try flags() == [[.banner, .list, .lock, .sound, .remote], [.list, .remote]])
    }

    /// 2026-11-21T03:00:00.123Z is 08:30 in India, and 22:00 of the day before in New York.
    @Test(arguments: [
        ("Asia/Kolkata", "08:00", "08:32", "2026-11-21T03:02:00.000Z"),
        ("America/New_York", "22:00", "07:00", "2026-11-21T12:00:00.000Z"),
        ("UTC", "22:00", "03:01", "2026-11-21T03:01:00.000Z"), ("UTC", "22:00", "03:00", nil),
    ])
    func `it ends at a whole minute of the owner's clock`(
        zone: String,
        from: String,
        to: String,
        end: String?
    ) async throws {
        let hours = #"{"mode":"daily","from":"\#(from)","to":"\#(to)"}"#
        let answer = try await ask(.PATCH, "owner", #"{"zone":"\#(zone)","doNotDisturb":\#(hours)}"#).body
        #expect(answer["quietUntil"]?.string == end && answer["isQuiet"]?.bool == (end != nil))
    }

    @Test func `the hours are those of the owner's zone, and an exception is none of them`() async throws {
        func quiet(_ zone: String, exceptions: String = "") async throws -> Bool {
            let hours = #"{"mode":"daily","from":"22:00","to":"07:00","exceptions":[\#(exceptions)]}"#
            let answer = try await ask(.PATCH, "owner", #"{"zone":"\#(zone)","doNotDisturb":\#(hours)}"#)
            #expect(answer.status == 200)
            let rule = try bench.center.deliveryRule(for: bench.chat)
            let payload = Payload(["aps": ["alert": ["title": "a"]]])
            let (fate, _) = rule.fate(of: DeliveryRule.Delivery(identifier: "a", payload: payload))
            guard case .listed(_, let presentation) = fate else { return false }
            return !presentation.flags.contains(.banner)
        }
        #expect(try await quiet("Etc/GMT") == Self.isNight(in: "Etc/GMT"))
        #expect(try await quiet("Asia/Tokyo") == Self.isNight(in: "Asia/Tokyo"))
        #expect(try await quiet("America/Los_Angeles") == Self.isNight(in: "America/Los_Angeles"))
        for zone in ["Etc/GMT", "Asia/Tokyo", "America/Los_Angeles"] {
            #expect(try await !quiet(zone, exceptions: #""com.example.chat""#))
        }
    }

    /// Tells by Foundation's calendar whether the bench's time lies between 22:00 and 07:00.
    private static func isNight(in zone: String) -> Bool {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        let hour = calendar.component(.hour, from: Date(timeIntervalSince1970: Double(Bench.now) / 1000))
        return hour >= 22 || hour < 7
    }
}
