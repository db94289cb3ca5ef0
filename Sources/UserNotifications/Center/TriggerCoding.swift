// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import CoreLocation
import Foundation

extension RequestTrigger {
    /// Reads a trigger of Apple's; a class or a region that nobody knows is one that never fires.
    init(_ trigger: UNNotificationTrigger) {
        switch trigger {
        case let interval as UNTimeIntervalNotificationTrigger:
            self = .interval(seconds: interval.timeInterval, repeats: interval.repeats)
        case let calendar as UNCalendarNotificationTrigger:
            self = .calendar(CalendarComponents(calendar.dateComponents), repeats: calendar.repeats)
        case let place as UNLocationNotificationTrigger:
            let region = place.region
            let crossing = Crossing(
                identifier: region.identifier,
                onEntry: region.notifyOnEntry,
                onExit: region.notifyOnExit,
                repeats: place.repeats
            )
            switch region {
            case let circle as CLCircularRegion:
                let center = circle.center
                let circle = Circle(latitude: center.latitude, longitude: center.longitude, radius: circle.radius)
                self = .region(circle, crossing)
            case let beacon as CLBeaconRegion:
                let beacon = Beacon(
                    uuid: beacon.uuid.uuidString,
                    major: beacon.major?.uint16Value,
                    minor: beacon.minor?.uint16Value
                )
                self = .beacon(beacon, crossing)
            default: self = .push
            }
        default: self = .push
        }
    }

    /// The trigger as an app reads it; `nil` for one that Apple's classes cannot be made of.
    func notificationTrigger(next: Date?) -> UNNotificationTrigger? {
        switch self {
        case .interval(let seconds, let repeats):
            guard mayFire else { return nil }
            return UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats, next: next)
        case .calendar(let components, let repeats):
            return UNCalendarNotificationTrigger(dateMatching: components.dateComponents, repeats: repeats)
        case .region(let circle, let crossing):
            let center = CLLocationCoordinate2D(latitude: circle.latitude, longitude: circle.longitude)
            let region = CLCircularRegion(center: center, radius: circle.radius, identifier: crossing.identifier)
            return UNLocationNotificationTrigger(region, crossing)
        case .beacon(let beacon, let crossing):
            guard let uuid = UUID(uuidString: beacon.uuid) else { return nil }
            let name = crossing.identifier
            let region =
                switch (beacon.major, beacon.minor) {
                case (let major?, let minor?): CLBeaconRegion(uuid: uuid, major: major, minor: minor, identifier: name)
                case (let major?, nil): CLBeaconRegion(uuid: uuid, major: major, identifier: name)
                case (nil, _): CLBeaconRegion(uuid: uuid, identifier: name)
                }
            return UNLocationNotificationTrigger(region, crossing)
        case .push: return UNPushNotificationTrigger()
        }
    }
}

extension UNLocationNotificationTrigger {
    fileprivate convenience init(_ region: CLRegion, _ crossing: RequestTrigger.Crossing) {
        region.notifyOnEntry = crossing.onEntry
        region.notifyOnExit = crossing.onExit
        self.init(region: region, repeats: crossing.repeats)
    }
}

extension CalendarComponents {
    /// The parts of `DateComponents`, and where each of them stands there.
    private static var paths: [(Part, WritableKeyPath<DateComponents, Int?>)] {
        [
            (.era, \.era), (.year, \.year), (.yearForWeekOfYear, \.yearForWeekOfYear), (.quarter, \.quarter),
            (.month, \.month), (.weekOfYear, \.weekOfYear), (.weekOfMonth, \.weekOfMonth), (.weekday, \.weekday),
            (.weekdayOrdinal, \.weekdayOrdinal), (.day, \.day), (.dayOfYear, \.dayOfYear), (.hour, \.hour),
            (.minute, \.minute), (.second, \.second), (.nanosecond, \.nanosecond),
        ]
    }

    init(_ components: DateComponents) {
        var parts: [Part: Int64] = [:]
        for (part, path) in Self.paths { parts[part] = components[keyPath: path].map(Int64.init) }
        self.init(
            parts,
            timeZone: components.timeZone?.identifier,
            firstWeekday: components.calendar?.firstWeekday,
            minimumDaysInFirstWeek: components.calendar?.minimumDaysInFirstWeek
        )
    }

    /// The parts as Foundation has them; a zone that it does not know is left out.
    package var dateComponents: DateComponents {
        var components = DateComponents()
        for (part, path) in Self.paths { components[keyPath: path] = parts[part].map { Int(clamping: $0) } }
        components.timeZone = timeZone.flatMap(TimeZone.init(identifier:))
        if firstWeekday != nil || minimumDaysInFirstWeek != nil {
            var calendar = Calendar(identifier: .gregorian)
            calendar.firstWeekday = firstWeekday ?? 1
            calendar.minimumDaysInFirstWeek = minimumDaysInFirstWeek ?? 1
            components.calendar = calendar
        }
        return components
    }
}
