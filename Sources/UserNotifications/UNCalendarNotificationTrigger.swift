// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// Fires at a date and time, once or every time they come again.
///
/// The calendar is the Gregorian one; the time zone is that of the components, else the system's at the moment of
/// asking. Parts that are left out match every value above the largest one given, and the first value below the
/// smallest: hour 9 is every day at 09:00:00, day 1 the first of every month at midnight.
///
/// Apple does not say what becomes of days and times that do not exist. Here a day that does not exist is passed over,
/// and a time that clocks pass over comes as much later as they were put forward:
///
/// | components | fires |
/// | --- | --- |
/// | day 31, hour 9 | on the 31st of the months that have one |
/// | month 2, day 29 | every fourth year, as the calendar has it |
/// | hour 2, minute 30, in a night when clocks jump from 2 to 3 | at 03:30 |
/// | hour 1, minute 30, in a night when clocks go back from 2 to 1 | once, the first time |
/// | minute 30, in that night | in both hours |
/// | month 2, day 30 | never: ``nextTriggerDate()`` is nil |
///
/// Source: Apple, "UNCalendarNotificationTrigger".
open class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    private let components: DateComponents

    /// Takes any components; a date that never comes shows in ``nextTriggerDate()``.
    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        components = dateComponents
        super.init(repeats: repeats)
    }

    /// The components that the trigger was made with.
    ///
    /// A calendar in them is not used, but for how it counts weeks if it is Gregorian.
    open var dateComponents: DateComponents { components }

    /// Returns the next date after now; nil if none comes.
    open func nextTriggerDate() -> Date? { nextTriggerDate(after: Date()) }

    /// The next date after another one; nil if none comes within 400 years.
    ///
    /// The search takes microseconds, and less than a few milliseconds for a date that never comes.
    package func nextTriggerDate(after date: Date) -> Date? {
        CalendarPattern(components)?.next(after: date)
    }

    // MARK: NSObject, NSSecureCoding

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNCalendarNotificationTrigger)?.components == components
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let data = coder.object(of: NSData.self, forKey: "dateComponents"),
            let components = try? JSONDecoder().decode(DateComponents.self, from: data as Data)
        else { return nil }
        self.components = components
        super.init(coder: coder)
    }

    /// Archives the components and `repeats`.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        guard let data = try? JSONEncoder().encode(components) else { return }
        coder.encode(data as NSData, forKey: "dateComponents")
    }
}
