// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// Switches, sliders, steppers, segments, dots of pages and dates.
@MainActor @Suite struct ChoiceTests {
    let listener = Listener()

    private func picture() throws -> UIImage { try #require(UIImage(data: png(4, 4))) }

    // MARK: Switches

    @Test("A switch is 51 points wide and 31 high, and turns with its value")
    func turns() throws {
        let control = UISwitch(frame: CGRect(x: 5, y: 6, width: 200, height: 1))
        control.onTintColor = .red
        listener.hear(control)
        let shown = ShownView(control)
        let node = try shown.drawn()
        let off = SceneKind.switch(SceneSwitch(isOn: false, tint: SceneColor(0xFF00_00FF)))
        #expect(node == SceneNode(id: node.id, up: 1, off, frame: SceneFrame(5, 6, 51, 31)))
        try shown.hear(.press, .release, .value(.flag(true)))
        #expect(control.isOn)
        #expect(listener.taken() == ["down:", "changed:", "primary:", "up:"])
        #expect(listener.senders.allSatisfy { $0 === control })
        try shown.hear(.value(.flag(false)))
        #expect(listener.taken() == ["changed:", "primary:"])
        control.setOn(true, animated: true)
        #expect(listener.calls.isEmpty)
        #expect(try shown.kind() == .switch(SceneSwitch(isOn: true, tint: SceneColor(0xFF00_00FF))))
    }

    @Test("A switch that is disabled or dead is drawn so, and takes nothing that comes late")
    func deadSwitch() throws {
        let control = UISwitch()
        listener.hear(control)
        control.isEnabled = false
        let shown = ShownView(control)
        #expect(try shown.kind() == .switch(SceneSwitch(isOn: false, isDisabled: true)))
        try shown.hearLate(.press, .value(.flag(true)))
        control.isEnabled = true
        shown.root.isUserInteractionEnabled = false
        #expect(try shown.kind() == .switch(SceneSwitch(isOn: false, isDisabled: true)))
        try shown.hearLate(.value(.flag(true)), .value(.number(1)))
        #expect((control.isOn, listener.calls) == (false, []))
    }

    // MARK: Sliders

    @Test("A slider tells each value while it is moved, between press and release")
    func continuous() throws {
        let slider = UISlider(frame: CGRect(x: 0, y: 0, width: 100, height: 31))
        slider.value = 0.342
        listener.hear(slider)
        let shown = ShownView(slider)
        let node = try shown.drawn()
        let kind = SceneKind.slider(SceneRange(value: 0.342))
        #expect(node == SceneNode(id: node.id, up: 1, kind, frame: SceneFrame(0, 0, 100, 31)))
        try shown.hear(.press, .value(.number(0.4)), .value(.number(0.5)), .release)
        #expect(slider.value == 0.5)
        #expect(listener.taken() == ["down:", "changed:", "primary:", "changed:", "primary:", "up:"])
        // A key moves it without a press, and ends with each value.
        try shown.hear(.value(.number(0.5)))
        #expect(listener.taken() == ["down:", "changed:", "primary:", "up:"])
    }

    @Test("A slider that is not continuous tells its value once, when the finger goes up")
    func released() throws {
        let slider = UISlider()
        slider.isContinuous = false
        listener.hear(slider)
        let shown = ShownView(slider)
        try shown.hear(.press, .value(.number(0.25)), .value(.number(0.75)))
        #expect((slider.value, listener.taken()) == (0.75, ["down:"]))
        try shown.hear(.release)
        #expect(listener.taken() == ["changed:", "primary:", "up:"])
        try shown.hear(.press, .release)
        #expect(listener.taken() == ["down:", "up:"])
        // A key moves it without a press, and ends with each value.
        try shown.hear(.value(.number(1)))
        #expect(listener.taken() == ["down:", "changed:", "primary:", "up:"])
    }

    @Test("A value that code sets while a slider is moved is drawn")
    func moved() throws {
        let slider = UISlider()
        let shown = ShownView(slider)
        listener.hear(slider)
        listener.act = { _ in slider.value = 0.5 }
        try shown.hear(.press, .value(.number(0.9)))
        #expect(try shown.kind() == .slider(SceneRange(value: 0.5)))
    }

    @Test("The value of a slider is held to its bounds, which move each other")
    func bounds() {
        let slider = UISlider()
        slider.value = 7
        #expect(slider.value == 1)
        slider.maximumValue = 10
        slider.value = 7
        slider.minimumValue = 20
        #expect((slider.minimumValue, slider.maximumValue, slider.value) == (20, 20, 20))
        slider.maximumValue = -5
        #expect((slider.minimumValue, slider.maximumValue, slider.value) == (-5, -5, -5))
    }

    @Test("What is no number changes nothing of a slider, and what is infinite is the greatest number")
    func oddNumbers() throws {
        let slider = UISlider()
        slider.value = 0.5
        slider.value = .nan
        slider.minimumValue = .nan
        slider.maximumValue = .nan
        #expect((slider.minimumValue, slider.maximumValue, slider.value) == (0, 1, 0.5))
        (slider.minimumValue, slider.maximumValue) = (-.infinity, .infinity)
        slider.value = .infinity
        #expect(slider.value == .greatestFiniteMagnitude)
        #expect(try ShownView(slider).kind() == .slider(SceneRange(value: 1)))
    }

    @Test("A slider beyond a scene's numbers goes to the page as shares, and takes them back")
    func shares() throws {
        let slider = UISlider()
        (slider.minimumValue, slider.maximumValue, slider.value) = (0, 400_000, 100_000)
        let shown = ShownView(slider)
        #expect(try shown.kind() == .slider(SceneRange(value: 0.25)))
        try shown.hear(.value(.number(0.5)))
        #expect(slider.value == 200_000)
    }

    @Test("Colours of a slider are its own, else the tint")
    func sliderTint() throws {
        let slider = UISlider()
        slider.tintColor = .green
        let shown = ShownView(slider)
        #expect(try shown.kind() == .slider(SceneRange(value: 0, tint: SceneColor(0x00FF_00FF))))
        slider.minimumTrackTintColor = .red
        #expect(try shown.kind() == .slider(SceneRange(value: 0, tint: SceneColor(0xFF00_00FF))))
    }

    @Test("A disabled slider is drawn so")
    func deadSlider() throws {
        let slider = UISlider()
        slider.isEnabled = false
        listener.hear(slider)
        let shown = ShownView(slider)
        #expect(try shown.kind() == .slider(SceneRange(value: 0, isDisabled: true)))
        try shown.hearLate(.press, .value(.number(1)), .release)
        #expect((slider.value, listener.calls) == (0, []))
    }

    // MARK: Steppers

    @Test("A stepper is 94 points wide and 32 high, and counts")
    func counts() throws {
        let stepper = UIStepper(frame: CGRect(x: 1, y: 2, width: 3, height: 4))
        (stepper.value, stepper.stepValue, stepper.wraps) = (99, 2, true)
        listener.hear(stepper)
        let shown = ShownView(stepper)
        let node = try shown.drawn()
        let kind = SceneKind.stepper(SceneRange(value: 99, maximum: 100, step: 2, wraps: true))
        #expect(node == SceneNode(id: node.id, up: 1, kind, frame: SceneFrame(1, 2, 94, 32)))
        try shown.hear(.press, .release, .value(.number(100)))
        #expect((stepper.value, listener.taken()) == (100, ["down:", "changed:", "primary:", "up:"]))
        try shown.hearLate(.value(.number(100)))
        #expect(listener.calls.isEmpty)
    }

    @Test("Bounds of a stepper move each other, and odd numbers change nothing")
    func stepperBounds() throws {
        let stepper = UIStepper()
        (stepper.value, stepper.stepValue) = (.nan, -1)
        (stepper.minimumValue, stepper.stepValue) = (.nan, .infinity)
        #expect((stepper.value, stepper.minimumValue, stepper.maximumValue, stepper.stepValue) == (0, 0, 100, 1))
        stepper.minimumValue = 200
        #expect((stepper.value, stepper.maximumValue) == (200, 200))
        (stepper.minimumValue, stepper.maximumValue, stepper.value) = (0, .infinity, 5)
        let shown = ShownView(stepper)
        #expect(try shown.kind() == .stepper(SceneRange(value: 5, maximum: 100_000, step: 1)))
        stepper.value = 1e9
        #expect(
            try shown.kind() == .stepper(SceneRange(value: 100_000, maximum: 100_000, step: 1, isDisabled: true))
        )
        stepper.value = .infinity
        #expect(stepper.value == .infinity)
        _ = try shown.drawn()
    }

    // MARK: Segments

    @Test("Segments are drawn by their titles, and told once they are another")
    func segments() throws {
        let control = UISegmentedControl(items: ["One", UIImage(systemName: "star.fill") as Any, try picture(), 4])
        control.selectedSegmentIndex = 0
        control.selectedSegmentTintColor = .red
        listener.hear(control)
        let shown = ShownView(control)
        let titles = ["One", "star fill", "3"]
        let tint = SceneColor(0xFF00_00FF)
        #expect(try shown.kind() == .segments(SceneSegments(titles: titles, chosen: 0, tint: tint)))
        #expect(control.intrinsicContentSize.height == 32)
        try shown.hear(.press, .release, .value(.number(2)))
        #expect((control.selectedSegmentIndex, listener.taken()) == (2, ["down:", "changed:", "primary:", "up:"]))
        try shown.hear(.value(.number(2)))
        #expect(listener.calls.isEmpty)
        control.selectedSegmentIndex = 9
        #expect(try shown.kind() == .segments(SceneSegments(titles: titles, tint: tint)))
    }

    @Test("Segments are put in and taken away, and the choice stays with its segment")
    func changes() {
        let control = UISegmentedControl(items: ["A", "B"])
        control.selectedSegmentIndex = 1
        control.insertSegment(withTitle: "0", at: -3, animated: false)
        control.insertSegment(with: nil, at: 99, animated: false)
        #expect((control.numberOfSegments, control.selectedSegmentIndex) == (4, 2))
        control.setTitle("C", forSegmentAt: 3)
        control.setTitle("none", forSegmentAt: 77)
        #expect((0..<5).map { control.titleForSegment(at: $0) } == ["0", "A", "B", "C", nil])
        control.removeSegment(at: 0, animated: false)
        #expect(control.selectedSegmentIndex == 1)
        control.removeSegment(at: 1, animated: false)
        #expect(control.selectedSegmentIndex == UISegmentedControl.noSegment)
        control.removeAllSegments()
        control.removeSegment(at: 0, animated: false)
        #expect((control.numberOfSegments, control.selectedSegmentIndex) == (0, -1))
    }

    @Test("A momentary choice is there while it is told, and drawn never")
    func momentary() throws {
        let control = UISegmentedControl(items: ["A", "B"])
        control.isMomentary = true
        listener.hear(control)
        var seen: [Int] = []
        listener.act = { _ in seen.append(control.selectedSegmentIndex) }
        let shown = ShownView(control)
        try shown.hear(.value(.number(1)))
        try shown.hear(.value(.number(1)))
        #expect(seen == [1, 1, 1, 1])
        #expect(control.selectedSegmentIndex == -1)
        #expect(try shown.kind() == .segments(SceneSegments(titles: ["A", "B"])))
    }

    @Test("A disabled segment cannot be chosen, and an action of a segment is called")
    func segmentActions() throws {
        var count = 0
        let action = UIAction(title: "Act", identifier: .init("a")) { _ in count += 1 }
        let control = UISegmentedControl(frame: .zero, actions: [action, UIAction(title: "Other") { _ in }])
        control.setEnabled(false, forSegmentAt: 1)
        let shown = ShownView(control)
        try shown.hear(.value(.number(0)))
        try shown.hear(.value(.number(1)))
        #expect((count, control.selectedSegmentIndex) == (1, 0))
        #expect(control.segmentIndex(identifiedBy: .init("a")) == 0)
        #expect(control.isEnabledForSegment(at: 0) && !control.isEnabledForSegment(at: 1))
    }

    @Test("Of 17 segments 16 are drawn, and titles of 10 KB are cut")
    func manySegments() throws {
        let long = String(repeating: "x", count: 10_000)
        let control = UISegmentedControl(items: Array(repeating: long, count: 17))
        control.selectedSegmentIndex = 16
        guard case .segments(let segments) = try ShownView(control).kind() else { throw CocoaError(.coderInvalidValue) }
        #expect((segments.titles.count, segments.chosen) == (16, nil))
        #expect(segments.titles.allSatisfy { $0 == String(repeating: "x", count: 397) + "…" })
    }

    @Test("A control without segments, or one that is disabled, is drawn so")
    func noSegments() throws {
        let control = UISegmentedControl()
        control.isEnabled = false
        #expect(try ShownView(control).kind() == .segments(SceneSegments(titles: [], isDisabled: true)))
        #expect(control.intrinsicContentSize == CGSize(width: 0, height: 32))
    }

    // MARK: Pages

    @Test("Dots are a text in two colours, of which a click on a half turns the page")
    func pages() throws {
        let control = UIPageControl()
        (control.numberOfPages, control.currentPage) = (4, 1)
        (control.pageIndicatorTintColor, control.currentPageIndicatorTintColor) = (.red, .blue)
        #expect(control.intrinsicContentSize == CGSize(width: 92, height: 26))
        listener.hear(control)
        let shown = ShownView(control)
        let dot = "\u{00A0}●\u{00A0}"
        let text = SceneText(
            [
                SceneText.Run(dot, color: SceneColor(0xFF00_00FF)), SceneText.Run(dot, color: SceneColor(0x0000_FFFF)),
                SceneText.Run(dot + dot, color: SceneColor(0xFF00_00FF)),
            ],
            font: SceneFont(size: 10),
            alignment: .center,
            isCentered: true
        )
        let node = try shown.drawn()
        #expect(node == SceneNode(id: node.id, up: 1, .text(text), frame: SceneFrame(0, 0, 92, 26), isTappable: true))
        try shown.hear(.tap(at: ScenePoint(80, 10)))
        #expect((control.currentPage, listener.taken()) == (2, ["down:", "changed:", "primary:", "up:"]))
        try shown.hear(.tap(at: ScenePoint(1, 10)), .tap(at: ScenePoint(1, 10)), .tap(at: ScenePoint(1, 10)))
        #expect(control.currentPage == 0)
        try shown.hear(.tap(at: nil))
        #expect(control.currentPage == 1)
        control.semanticContentAttribute = .forceRightToLeft
        try shown.hear(.tap(at: ScenePoint(1, 10)), .tap(at: nil))
        #expect(control.currentPage == 3)
    }

    @Test("Numbers of pages are held to what there is, and one page may have no dot")
    func pageBounds() throws {
        let control = UIPageControl()
        (control.numberOfPages, control.currentPage) = (3, 9)
        #expect(control.currentPage == 2)
        control.currentPage = -4
        #expect(control.currentPage == 0)
        (control.numberOfPages, control.hidesForSinglePage) = (1, true)
        #expect(try ShownView(control).kind() == .view)
        control.numberOfPages = -1
        #expect((control.numberOfPages, try ShownView(control).kind()) == (0, .view))
        (control.numberOfPages, control.currentPage) = (.max, .max)
        #expect(control.currentPage == Int.max - 1)
        guard case .text(let text) = try ShownView(control).kind() else { throw CocoaError(.coderInvalidValue) }
        #expect(text.plain.count { $0 == "●" } == 50)
    }

    // MARK: Dates

    @Test("A date is drawn in milliseconds, and told when it is another")
    func dates() throws {
        let picker = UIDatePicker()
        picker.date = Date(timeIntervalSince1970: 86_400.25)
        picker.datePickerMode = .date
        (picker.minimumDate, picker.maximumDate) = (
            Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 900_000)
        )
        listener.hear(picker)
        let shown = ShownView(picker)
        let node = try shown.drawn()
        let kind = SceneKind.date(SceneDate(value: 86_400_250, mode: .date, minimum: 0, maximum: 900_000_000))
        #expect(node == SceneNode(id: node.id, up: 1, kind, frame: SceneFrame(0, 0, 145, 34)))
        try shown.hear(.press, .release, .value(.number(172_800_000)))
        #expect((picker.date.timeIntervalSince1970, listener.taken()) == (172_800, ["down:", "changed:", "primary:"]))
        picker.setDate(Date(timeIntervalSince1970: 1e9), animated: true)
        #expect(picker.date.timeIntervalSince1970 == 900_000)
    }

    @Test("Bounds that contradict each other do not count, and what is no moment changes nothing")
    func dateBounds() throws {
        let picker = UIDatePicker()
        picker.date = Date(timeIntervalSince1970: 50)
        (picker.minimumDate, picker.maximumDate) = (Date(timeIntervalSince1970: 100), Date(timeIntervalSince1970: 10))
        picker.date = Date(timeIntervalSince1970: 5)
        #expect(picker.date.timeIntervalSince1970 == 5)
        picker.date = Date(timeIntervalSince1970: .nan)
        picker.date = Date(timeIntervalSince1970: .infinity)
        #expect(picker.date.timeIntervalSince1970 == 5)
        let shown = ShownView(picker)
        #expect(try shown.kind() == .date(SceneDate(value: 5_000)))
        (picker.minimumDate, picker.maximumDate) = (nil, nil)
        picker.date = Date(timeIntervalSince1970: 1e300)
        #expect(try shown.kind() == .date(SceneDate(value: SceneDate.moments.upperBound)))
    }

    @Test("A time that a person chooses is moved back to an interval of minutes")
    func intervals() throws {
        let picker = UIDatePicker()
        picker.date = Date(timeIntervalSince1970: 0)
        picker.minuteInterval = 7
        #expect(picker.minuteInterval == 1)
        picker.minuteInterval = 15
        let shown = ShownView(picker)
        try shown.hear(.value(.number(1_000_000)))
        #expect(picker.date.timeIntervalSince1970 == 900)
    }

    @Test(
        "Modes without a field have the nearest one",
        arguments: [
            (UIDatePicker.Mode.time, SceneDate.Mode.time), (.date, .date), (.dateAndTime, .dateAndTime),
            (.countDownTimer, .time), (.yearAndMonth, .date),
        ]
    )
    func modes(mode: UIDatePicker.Mode, drawn: SceneDate.Mode) throws {
        let picker = UIDatePicker()
        picker.date = Date(timeIntervalSince1970: 0)
        picker.datePickerMode = mode
        picker.isEnabled = false
        #expect(try ShownView(picker).kind() == .date(SceneDate(value: 0, mode: drawn, isDisabled: true)))
    }
}
