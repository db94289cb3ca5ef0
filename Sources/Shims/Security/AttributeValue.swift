// SPDX-License-Identifier: Apache-2.0

import FoundationCompatibility
import NotificationPayload

/// A value of an item's attribute, as the keychain keeps it.
enum AttributeValue: Equatable {
    case text(String)
    case number(Int64)
    case data(Data)
    case date(Double)

    /// Takes a caller's value; returns `nil` for what no attribute can be.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let data as Data: self = .data(data)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber: self = .number(number.int64Value)
        default: return nil
        }
    }

    /// The value as the Foundation object that a caller gets.
    var value: Any {
        switch self {
        case .text(let text): text as NSString
        case .number(let number): NSNumber(value: number)
        case .data(let data): data as NSData
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds) as NSDate
        }
    }

    var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): .integer(number)
        case .data(let data): ["data": .string(Base64.standard.encode(data))]
        case .date(let seconds): ["date": .double(seconds)]
        }
    }

    init?(_ json: JSON) {
        if let text = json.string {
            self = .text(text)
        } else if let number = json.integer {
            self = .number(number)
        } else if let text = json.object?["data"]?.string, let bytes = Base64.standard.decode(text) {
            self = .data(Data(bytes))
        } else if let seconds = json.object?["date"]?.double {
            self = .date(seconds)
        } else {
            return nil
        }
    }
}
