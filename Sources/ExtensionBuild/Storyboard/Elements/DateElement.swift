// SPDX-License-Identifier: Apache-2.0

/// The properties of UIDatePicker.
enum DateElement {
    static func write(_ picker: PropertyWriter) {
        ControlElement.write(picker)
        picker.choice("datePickerMode", Choices.pickerModes)
        picker.choice("style", "preferredDatePickerStyle", Choices.pickerStyles)
        picker.integer("minuteInterval")
        picker.bool("roundsToMinuteInterval")
        // A picker without a date shows the present.
        _ = picker.element["useCurrentDate"]
        for key in ["minimumDate", "maximumDate", "date"] {
            guard let element = picker.element.child("date", key: key) else { continue }
            _ = element.key
            let reader = PropertyWriter(element: element, target: picker.target, script: picker.script)
            guard let seconds = reader.numeral("timeIntervalSinceReferenceDate") else { continue }
            picker.set(key, "Date(timeIntervalSinceReferenceDate: \(seconds))")
        }
        picker.number("countDownDuration")
        for (name, make) in [
            ("locale", { "Locale(identifier: \(SwiftText.literal($0)))" }),
            ("timeZone", { "TimeZone(identifier: \(SwiftText.literal($0)))" }),
        ] as [(String, (String) -> String)] {
            guard let element = picker.element.child(key: name) else { continue }
            // A time zone's rules are those of the machine.
            _ = (element.key, element["customTimeZone"], element.child(key: "data")?.readingAll())
            if let value = element["localeIdentifier"] ?? element["name"] { picker.set(name, make(value)) }
        }
    }
}
