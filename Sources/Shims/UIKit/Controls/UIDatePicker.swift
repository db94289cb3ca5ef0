// SPDX-License-Identifier: Apache-2.0

public import Foundation
import FoundationCompatibility
import SceneModel

/// A field for a moment, which the browser lets a person choose.
///
/// The page shows it in its own style, language and time zone. Source: Apple, "UIDatePicker".
@preconcurrency @MainActor open class UIDatePicker: UIControl {
    /// The part of a moment that a person chooses.
    public enum Mode: Int, Sendable {
        /// The time of the day.
        case time
        /// The day.
        case date
        /// Both.
        case dateAndTime
        /// A length of time, for which the page has no field.
        case countDownTimer
        /// The month, for which the page has no field.
        case yearAndMonth
    }

    private static let height: CGFloat = 34

    private var chosen = Date()

    /// The moment; what lies beyond the bounds is the nearest one inside.
    open var date: Date {
        get { chosen }
        set {
            guard onMain(self.date = newValue) else { return }
            chosen = held(newValue)
            changed()
        }
    }

    /// Sets the moment; the page shows it at once.
    open func setDate(_ date: Date, animated: Bool) { self.date = date }

    /// The first moment that can be chosen; ignored where it is behind the last one.
    @_OnMainThread open var minimumDate: Date? { didSet { hold() } }
    /// The last moment that can be chosen; ignored where it is before the first one.
    @_OnMainThread open var maximumDate: Date? { didSet { hold() } }

    /// The part of a moment that a person chooses.
    @_OnMainThread open var datePickerMode = Mode.dateAndTime {
        didSet {
            switch datePickerMode {
            case .countDownTimer: Absent.note("UIDatePicker's countDownTimer", "a time of the day is chosen")
            case .yearAndMonth: Absent.note("UIDatePicker's yearAndMonth", "a day is chosen")
            case .time, .date, .dateAndTime: break
            }
            invalidateIntrinsicContentSize()
            changed()
        }
    }

    /// The language of the field; the page has its own.
    open var locale: Locale? = .current
    /// The calendar of the field; the page has its own.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var calendar: Calendar! = .current
    /// The zone of the field; the page has that of the place where it is shown.
    @_OnMainThread open var timeZone: TimeZone? {
        didSet {
            guard let timeZone, timeZone.identifier != Surroundings.environment.timeZone else { return }
            Absent.note("UIDatePicker.timeZone", "the page shows moments in the time zone of whoever looks at it")
        }
    }
    /// The length of a countdown in seconds; nothing shows it.
    open var countDownDuration: TimeInterval = 0
    /// Minutes between two times, a divisor of 60; others mean 1.
    ///
    /// A time that a person chooses is moved back to one.
    @_OnMainThread open var minuteInterval = 1 {
        didSet { if !(1...30).contains(minuteInterval) || 60 % minuteInterval != 0 { minuteInterval = 1 } }
    }
    /// True if a time is moved to the nearest one of the interval.
    open var roundsToMinuteInterval = true

    /// The style that is wished for; the page has a field.
    @_OnMainThread open var preferredDatePickerStyle = UIDatePickerStyle.automatic {
        didSet {
            switch preferredDatePickerStyle {
            case .wheels, .inline: Absent.note("UIDatePicker's wheels and inline styles", "the page shows a field")
            case .automatic, .compact: break
            }
        }
    }
    /// The style: a field.
    open var datePickerStyle: UIDatePickerStyle { .compact }

    /// Holds the moment inside of bounds that are new; a bound that goes to the main thread is not there yet.
    private func hold() { if MainThread.isCurrent { date = chosen } }

    private func held(_ date: Date) -> Date {
        guard date.timeIntervalSinceReferenceDate.isFinite else { return chosen }
        let (first, last) = bounds(minimumDate, maximumDate)
        let later = max(date, first ?? date)
        return min(later, last ?? later)
    }

    /// The bounds, none of which counts where they contradict each other.
    private func bounds(_ first: Date?, _ last: Date?) -> (Date?, Date?) {
        // A date that is no number is in no order with another one.
        let (first, last) = (first?.isNumber == true ? first : nil, last?.isNumber == true ? last : nil)
        if let first, let last, first > last { return (nil, nil) }
        return (first, last)
    }

    // MARK: Layout

    open override var intrinsicContentSize: CGSize {
        let width: CGFloat =
            switch datePickerMode {
            case .time, .countDownTimer: 110
            case .date, .yearAndMonth: 145
            case .dateAndTime: 220
            }
        return CGSize(width: width, height: Self.height)
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    // MARK: Scene

    override func sceneKind(_ drawing: inout SceneDrawing) -> SceneKind {
        let (first, last) = bounds(minimumDate, maximumDate)
        let (low, high) = (first?.milliseconds, last?.milliseconds)
        let value = max(chosen.milliseconds, low ?? SceneDate.moments.lowerBound)
        return .date(
            SceneDate(
                value: min(value, high ?? value),
                mode: datePickerMode.sceneMode,
                minimum: low,
                maximum: high,
                isDisabled: isDead(in: drawing)
            )
        )
    }

    override func released() { endPress(isTold: false) }

    override func take(_ value: SceneValue) {
        guard let number = value.number, number.isFinite else { return }
        var date = Date(timeIntervalSince1970: number / 1000)
        if datePickerMode != .date, minuteInterval > 1 {
            let step = Double(60 * minuteInterval)
            // Zones differ from another by whole quarters of an hour, and an interval begins with the hour.
            let zone = timeZone ?? TimeZone(identifier: Surroundings.environment.timeZone) ?? .current
            let offset = Double(zone.secondsFromGMT(for: date) % 3600)
            date = Date(timeIntervalSince1970: (((number / 1000 + offset) / step).rounded(.down) * step) - offset)
        }
        let new = held(date)
        guard new != chosen else { return }
        self.date = new
        sendValueChanged()
    }
}

/// The look of a date picker.
public enum UIDatePickerStyle: Int, Sendable {
    /// The style of the device.
    case automatic
    /// Wheels that turn.
    case wheels
    /// A field that opens a calendar.
    case compact
    /// A calendar.
    case inline
}

extension UIDatePicker.Mode {
    fileprivate var sceneMode: SceneDate.Mode {
        switch self {
        case .time, .countDownTimer: .time
        case .date, .yearAndMonth: .date
        case .dateAndTime: .dateAndTime
        }
    }
}

extension Date {
    /// False for one whose time is no number, which is before and behind no other date.
    fileprivate var isNumber: Bool { !timeIntervalSinceReferenceDate.isNaN }

    /// Milliseconds since 1970, of the nearest moment that a scene knows.
    fileprivate var milliseconds: Int64 {
        let bounds = Double(SceneDate.moments.lowerBound)...Double(SceneDate.moments.upperBound)
        return Int64((timeIntervalSince1970 * 1000).rounded().within(bounds))
    }
}
