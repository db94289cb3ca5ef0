// SPDX-License-Identifier: Apache-2.0

/// The properties of every control, and those of the small ones.
enum ControlElement {
    static func write(_ control: PropertyWriter) {
        control.choice("contentHorizontalAlignment", Choices.horizontals)
        control.choice("contentVerticalAlignment", Choices.verticals)
        control.bool("enabled", "isEnabled")
        control.bool("highlighted", "isHighlighted")
        control.bool("selected", "isSelected")
    }

    static func writeSlider(_ slider: PropertyWriter) {
        write(slider)
        // The range first: a value outside it is moved into it.
        slider.number("minValue", "minimumValue")
        slider.number("maxValue", "maximumValue")
        slider.number("value")
        slider.bool("continuous", "isContinuous")
        slider.image("minimumValueImage")
        slider.image("maximumValueImage")
        slider.color("minimumTrackTintColor")
        slider.color("maximumTrackTintColor")
        slider.color("thumbTintColor")
    }

    static func writeSwitch(_ control: PropertyWriter) {
        write(control)
        control.bool("on", "isOn")
        // Macs alone show it.
        _ = control.element["title"]
        control.image("onImage")
        control.image("offImage")
        control.color("onTintColor")
        control.color("thumbTintColor")
    }

    static func writeStepper(_ stepper: PropertyWriter) {
        write(stepper)
        stepper.number("minimumValue")
        stepper.number("maximumValue")
        stepper.number("stepValue")
        stepper.number("value")
        stepper.bool("continuous", "isContinuous")
        stepper.bool("autorepeat")
        stepper.bool("wraps")
    }

    static func writePageControl(_ control: PropertyWriter) {
        write(control)
        control.integer("numberOfPages")
        control.integer("currentPage")
        control.bool("hidesForSinglePage")
        control.bool("allowsContinuousInteraction")
        // The page draws dots in a row, without a background or pictures.
        for name in ["backgroundStyle", "direction", "preferredIndicatorImage", "preferredCurrentPageIndicatorImage"] {
            _ = control.element[name]
        }
        _ = control.element["catalog"]
        control.color("pageIndicatorTintColor")
        control.color("currentPageIndicatorTintColor")
    }

    static func writeSegments(_ control: PropertyWriter) {
        write(control)
        let script = control.script
        for (index, segment) in control.element.list("segments").enumerated() {
            let title = TextValue.plain(segment, key: "title", script) ?? ""
            if let image = ImageValue.swift(segment, key: "image", script), segment.attribute("image") != "" {
                control.call("insertSegment(with: \(image), at: \(index), animated: false)")
            } else {
                let text = TextValue.swift(title, of: control.element, entry: "segmentTitles[\(index)]", script)
                control.call("insertSegment(withTitle: \(text), at: \(index), animated: false)")
            }
            // A title stands in the middle of its segment.
            _ = segment.child(key: "contentOffset")?.readingAll()
            let reader = PropertyWriter(element: segment, target: control.target, script: script)
            if let width = reader.numeral("width"), width != "0" {
                control.call("setWidth(\(width), forSegmentAt: \(index))")
            }
            if reader.flag("enabled") == false { control.call("setEnabled(false, forSegmentAt: \(index))") }
        }
        control.bool("momentary", "isMomentary")
        control.bool("apportionsSegmentWidthsByContent")
        control.color("selectedSegmentTintColor")
        control.integer("selectedSegmentIndex")
    }
}
