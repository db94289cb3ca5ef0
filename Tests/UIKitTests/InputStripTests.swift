// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

/// A controller that shows an input view while it is the first responder.
@MainActor private final class Writer: UIViewController {
    var accessory: UIView?
    var input: UIView?
    var asked = 0

    override var canBecomeFirstResponder: Bool { true }
    override var inputView: UIView? { input }
    override var inputAccessoryView: UIView? {
        asked += 1
        return accessory
    }
}

/// The input views of the first responder, which a page shows below the box.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) final class InputStripTests {
    private let window = UIWindow(frame: rect(0, 0, 360, 200))
    private let writer = Writer()
    private var tree = SceneTree()

    init() {
        window.rootViewController = writer
        writer.accessory = UIView.box(10, 44)
    }

    /// Draws as a host has it, which refuses what breaks a limit; returns the nodes that were sent.
    @discardableResult
    private func draw() throws -> [SceneNode] {
        let (set, gone) = window.draw(in: ViewEnvironment(), number: { _ in nil })
        try tree.apply(try SceneUpdate(SceneUpdate(set: set, gone: gone).body))
        return set
    }

    /// The nodes right in the strip.
    private var shown: [SceneNode] { tree.strip.map { tree.children(of: $0.id) } ?? [] }

    @Test("The strip comes with the first responder and goes with it")
    func life() throws {
        try draw()
        #expect(tree.strip == nil)
        writer.becomeFirstResponder()
        try draw()
        #expect(tree.strip?.frame == SceneFrame(0, 0, 360, 44))
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 44)])
        // One that draws nothing new sends nothing.
        #expect(try draw() == [])
        writer.resignFirstResponder()
        try draw()
        #expect(tree.strip == nil)
        #expect(writer.accessory?.superview == nil)
    }

    @Test("A change in the strip is sent, and wakes the window")
    func changes() throws {
        let label = UILabel(frame: rect(0, 0, 100, 20))
        writer.accessory?.addSubview(label)
        writer.becomeFirstResponder()
        try draw()
        var wakes = 0
        window.show { wakes += 1 }
        label.text = "Typing"
        #expect(wakes > 0)
        #expect(try draw().map(\.kind.texts) == [["Typing"]])
        #expect(label.window === window)
    }

    @Test("A view of the box becomes the strip, and is drawn once")
    func fromTheBox() throws {
        let bar = UIView.box(100, 30)
        writer.view.addSubview(bar)
        try draw()
        writer.accessory = bar
        writer.becomeFirstResponder()
        try draw()
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 30)])
        #expect(!bar.isDescendant(of: writer.view))
    }

    @Test("The view that fills the box is not the strip, nor is one that it is in")
    func notTheBox() throws {
        for view in [writer.view, window] {
            writer.accessory = view
            writer.becomeFirstResponder()
            writer.reloadInputViews()
            try draw()
            #expect(tree.strip == nil)
            #expect(writer.view.superview === window)
            writer.resignFirstResponder()
        }
    }

    @Test("The responder is asked once, and again when it says so")
    func asked() throws {
        writer.becomeFirstResponder()
        try draw()
        let before = writer.asked
        writer.view.backgroundColor = .red
        try draw()
        #expect(writer.asked == before)
        writer.accessory = UIView.box(10, 60)
        writer.reloadInputViews()
        try draw()
        #expect(writer.asked == before + 1)
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 60)])
    }

    @Test("An input view stands below the view above it")
    func both() throws {
        writer.input = UIView.box(10, 100)
        writer.becomeFirstResponder()
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 44), SceneFrame(0, 44, 360, 100)])
        #expect(tree.strip?.frame == SceneFrame(0, 0, 360, 144))
    }

    @Test("A strip of constraints is as high as its content, and follows it")
    func constraints() throws {
        let (bar, content) = (UIView(), SizedView(50, 20))
        bar.translatesAutoresizingMaskIntoConstraints = false
        bar.with(content)
        NSLayoutConstraint.activate([
            content.topAnchor.constraint(equalTo: bar.topAnchor, constant: 5),
            content.bottomAnchor.constraint(equalTo: bar.bottomAnchor, constant: -5),
            content.leadingAnchor.constraint(equalTo: bar.leadingAnchor, constant: 7),
        ])
        writer.accessory = bar
        writer.becomeFirstResponder()
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 30)])
        #expect(content.frame == rect(7, 5, 50, 20))
        content.size.height = 40
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 50)])
        // Nothing is measured while nothing changes.
        try draw()
        let count = LayoutPass.solvedCount
        writer.view.alpha = 0.5
        try draw()
        #expect(LayoutPass.solvedCount == count)
    }

    @Test("A box of another size leaves the height of the strip")
    func resized() throws {
        writer.becomeFirstResponder()
        try draw()
        window.frame.size = CGSize(width: 300, height: 400)
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 300, 44)])
        #expect(writer.view.frame == rect(0, 0, 300, 400))
    }

    @Test("What a button in the strip calls is looked for in the responder")
    func chain() throws {
        let button = UIButton(frame: rect(0, 0, 44, 44))
        writer.accessory?.addSubview(button)
        writer.becomeFirstResponder()
        try draw()
        var chain: [UIResponder] = []
        var next = button.next
        while let current = next {
            chain.append(current)
            next = current.next
        }
        #expect(chain.contains { $0 === writer })
        #expect(chain.last === window)
    }

    @Test("A field that leaves the window takes its strip along")
    func leaving() throws {
        let field = UITextField(frame: rect(0, 0, 100, 34))
        field.inputAccessoryView = UIView.box(10, 44)
        writer.view.addSubview(field)
        field.becomeFirstResponder()
        try draw()
        #expect(shown.count == 1)
        field.removeFromSuperview()
        #expect(!field.isFirstResponder)
        try draw()
        #expect(tree.strip == nil)
    }

    @Test("The first responder of another window has its strip there")
    func otherWindow() throws {
        let other = UIWindow(frame: rect(0, 0, 100, 100))
        let controller = Writer()
        controller.accessory = UIView.box(10, 20)
        other.rootViewController = controller
        controller.becomeFirstResponder()
        try draw()
        #expect(tree.strip == nil)
        controller.resignFirstResponder()
    }

    @Test("A field in the strip is written in without taking the strip away")
    func fieldInStrip() throws {
        let field = UITextField(frame: rect(0, 0, 100, 34))
        writer.accessory?.addSubview(field)
        writer.becomeFirstResponder()
        try draw()
        field.becomeFirstResponder()
        try draw()
        #expect(field.isFirstResponder)
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 44)])
        field.inputAccessoryView = writer.accessory
        try draw()
        #expect(shown.count == 1)
        #expect(field.target(forAction: Selector("nothing"), withSender: nil) == nil)
        field.resignFirstResponder()
        try draw()
        #expect(tree.strip == nil)
    }

    @Test("A field in the box has the view above the keyboard of its controller")
    func fieldInBox() throws {
        let field = UITextField(frame: rect(0, 0, 100, 34))
        writer.view.addSubview(field)
        field.becomeFirstResponder()
        try draw()
        #expect(shown.map(\.frame) == [SceneFrame(0, 0, 360, 44)])
    }

    @Test("A responder without input views leaves the window in peace")
    func nothing() throws {
        writer.accessory = nil
        writer.becomeFirstResponder()
        try draw()
        var wakes = 0
        window.show { wakes += 1 }
        #expect(try draw() == [])
        #expect(try draw() == [])
        #expect(wakes == 0)
        #expect(tree.strip == nil)
    }
}
