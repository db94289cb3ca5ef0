// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Foundation
import NotificationPayload
import UserNotifications

/// The dates of a trigger: when it fires first, when it fires again, and what a boot makes of that.
///
/// An interval runs by the machine's clock, also in suspend, whatever the wall shows. After a boot, which that clock
/// does not survive, it ends where it would have ended on the wall, and not before now. A date of a calendar is one of
/// the wall, in the zone of the components, else the owner's.
struct TriggerDates {
    private let trigger: RequestTrigger
    private let zone: TimeZone

    init(_ trigger: RequestTrigger, zone: TimeZone) {
        self.trigger = trigger
        self.zone = zone
    }

    var repeats: Bool {
        switch trigger {
        case .interval(_, let repeats), .calendar(_, let repeats): repeats
        case .region(_, let crossing), .beacon(_, let crossing): crossing.repeats
        case .push: false
        }
    }

    /// The clock of the trigger and its first date, which a place does not have; `nil` means that it never fires here.
    func first(_ clock: CenterClock) -> (TriggerClock, DueDate)? {
        switch trigger {
        case .interval(let seconds, _):
            let anchor = Anchor(bootID: clock.bootID, boot: clock.boot(), wall: clock.wall())
            return (.boot, DueDate(due: anchor.boot + Self.milliseconds(seconds), anchor: anchor.bytes))
        case .calendar(let components, _):
            return date(of: components, after: clock.wall()).map { (.wall, DueDate(due: $0)) }
        case .region, .beacon: return (.wall, DueDate(due: nil))
        case .push: return nil
        }
    }

    /// The date after one that fired; `nil` means that the trigger fires no more.
    func next(after fired: DueDate, _ clock: CenterClock) -> DueDate? {
        guard repeats, let due = fired.due else { return nil }
        switch trigger {
        case .interval(let seconds, _):
            // Dates that passed meanwhile are left out, and the phase is kept.
            let interval = max(1, Self.milliseconds(seconds))
            let missed = max(0, clock.boot() - due) / interval
            return DueDate(due: due + (missed + 1) * interval, anchor: fired.anchor)
        case .calendar(let components, _):
            return date(of: components, after: max(due, clock.wall())).map { DueDate(due: $0) }
        case .region, .beacon, .push: return nil
        }
    }

    /// The date of an interval that was set before this boot, by the clock of this one; `nil`: it is of this boot.
    ///
    /// A wall that was set back meanwhile delays it by no more than a whole interval.
    func afterBoot(_ date: DueDate, _ clock: CenterClock) -> DueDate? {
        guard case .interval(let seconds, _) = trigger, let due = date.due, let anchor = Anchor(date.anchor),
            anchor.bootID != clock.bootID
        else { return nil }
        let (boot, wall) = (clock.boot(), clock.wall())
        let left = min(max(0, anchor.wall + (due - anchor.boot) - wall), Self.milliseconds(seconds))
        return DueDate(due: boot + left, anchor: Anchor(bootID: clock.bootID, boot: boot, wall: wall).bytes)
    }

    private func date(of components: CalendarComponents, after time: WallTime) -> WallTime? {
        var parts = components.dateComponents
        if components.timeZone == nil { parts.timeZone = zone }
        // The components name a zone that nobody knows.
        guard parts.timeZone != nil else { return nil }
        let trigger = UNCalendarNotificationTrigger(dateMatching: parts, repeats: false)
        let next = trigger.nextTriggerDate(after: Date(timeIntervalSince1970: Double(time) / 1000))
        return next.map { WallTime(($0.timeIntervalSince1970 * 1000).rounded(.up)) }
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1000).rounded(.up)) }
}

/// The moment from which an interval is counted, by both clocks.
private struct Anchor {
    let bootID: String
    let boot: Int64
    let wall: WallTime

    init(bootID: String, boot: Int64, wall: WallTime) {
        self.bootID = bootID
        self.boot = boot
        self.wall = wall
    }

    init?(_ bytes: [UInt8]) {
        guard let object = try? JSONObject(parsing: bytes.span, depthLimit: 2), let id = object["id"]?.string,
            let boot = object["boot"]?.integer, let wall = object["wall"]?.integer
        else { return nil }
        self.init(bootID: id, boot: boot, wall: wall)
    }

    var bytes: [UInt8] {
        let object: JSONObject = ["id": .string(bootID), "boot": .integer(boot), "wall": .integer(wall)]
        return object.serialized
    }
}
