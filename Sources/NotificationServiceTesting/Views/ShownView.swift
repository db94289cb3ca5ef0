// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import SceneModel

/// A content extension's view that a test has opened, as a person has it before them.
///
/// ```swift
/// let view = try await BundleTest("Photo.appex").show(#"{"aps": {"alert": "Hi", "category": "photo"}}"#)
/// try await view.set("Opacity", 0.3)
/// #expect(view.find("Picture")?.opacity == 0.3)
/// ```
/// Nodes and controls are called by what is read of them: the label for screen readers, the title or the text; a
/// control that is alone of its kind by that as well, as `slider`. What a property tells is of one moment: a step
/// returns once the view has taken it in, and `until(_:)` waits for what comes later.
///
/// The view is closed when nobody holds it any more, or by ``close()``.
public final class ShownView: Sendable {
    private let state: ViewState
    private let door: any ViewDoor

    /// A view whose scenes go into a state, and whose steps go through a door, which ends the view when it is let go.
    package init(_ state: ViewState, _ door: any ViewDoor) {
        self.state = state
        self.door = door
    }

    // MARK: What is seen

    /// Returns the first node of that label, title or text, or else the first one of that kind, as `image`.
    public func find(_ name: String) -> ShownNode? {
        let tree = state.current.tree
        return
            (tree.inOrder.first { $0.name?.isWord(name) == true }
            ?? tree.inOrder.first { $0.kind.name.rawValue == name }).map(ShownNode.init)
    }

    /// The nodes in the order in which they are drawn, each before what hangs below it.
    public var nodes: [ShownNode] { state.current.tree.inOrder.map(ShownNode.init) }

    /// The scene in lines, as `extension-host view` prints it: texts, numbered buttons, sliders as `[####----] 0.4`.
    public var lines: [String] { SceneLines(state.current.tree).lines }

    /// The scene as JSON in the form of PROTOCOL.md, "Scenes", a node a line: equal for equal views on every machine.
    public var scene: String { state.current.tree.golden }

    /// The height of the box in points; `nil` for a view that the page lays out, as one of rows and columns.
    public var height: Double? { state.current.tree.size?.height }

    /// The title that the extension gives the view; `nil` means the app's name.
    public var title: String? { state.current.tree.title }

    /// The identifiers of the buttons below the view in the place of the category's; `nil` means those.
    public var actions: [String]? { state.current.tree.actions?.map(\.identifier) }

    /// The calls of the extension in their order: `defaultAction`, `dismiss`, `mediaStarted`, `mediaPaused`, and for a
    /// response `doNotDismiss`, `dismiss` or `dismissAndForwardAction`.
    public var calls: [String] { state.current.calls }

    /// The reason for which the view has ended, as PROTOCOL.md, "Views", names it: `dismissed`, `crashed`, `slow` …;
    /// `nil` while it is open.
    public var ended: String? { state.current.ended }

    // MARK: What a person does

    /// Clicks a control, or a view with a recognizer of clicks.
    ///
    /// Throws `ViewProblem` for one that is not there, is hidden or disabled.
    public func tap(_ name: String) async throws { try await door.take(.tap(name), state) }

    /// Gives a slider, a stepper, a segmented control or a date picker a value.
    ///
    /// Segments count from 0; dates are milliseconds since 1970. Throws `ViewProblem` for a value that it cannot have.
    public func set(_ name: String, _ value: Double) async throws {
        try await door.take(.set(name, .number(value)), state)
    }

    /// Turns a switch on or off.
    public func set(_ name: String, _ isOn: Bool) async throws { try await door.take(.set(name, .flag(isOn)), state) }

    /// Writes into a field the text that it has afterwards, or chooses the segment of that title.
    public func set(_ name: String, _ text: String) async throws {
        try await door.take(.set(name, .text(text)), state)
    }

    /// Responds with an action of the notification, and with a text where that has a field.
    ///
    /// Returns once the extension has decided: its word is the last one of ``calls``.
    public func respond(_ action: String, text: String? = nil) async throws {
        try await door.take(.respond(action, text), state)
    }

    /// Presses the button that plays what the view has.
    public func play() async throws { try await door.take(.media(.play), state) }

    /// Presses the button that pauses what the view plays.
    public func pause() async throws { try await door.take(.media(.pause), state) }

    /// Hands the view a newer notification, the JSON of an APNs payload: `didReceive(_:)` once more.
    ///
    /// Throws `PayloadProblem` when the text is none.
    public func show(_ payload: String) async throws {
        try await door.take(.show(try PayloadProblem.parse(payload)), state)
    }

    // MARK: Time

    /// Waits until the view is as the test wants it; at once if it is.
    ///
    /// Throws `ViewProblem` when the view ends before, `CancellationError` when the task is cancelled meanwhile.
    public func until(_ condition: @escaping @Sendable (ShownView) -> Bool) async throws {
        try await state.wait { [self] current in current.hasEnded || condition(self) }
        guard !state.current.hasEnded || condition(self) else {
            throw ViewProblem("the view ended as \(ended ?? "gone") before it was as expected", hint: nil)
        }
    }

    /// Ends the view; nothing is seen of it afterwards but its last scene.
    public func close() async { await door.close(state) }
}

/// A step that was not possible, and why.
public struct ViewProblem: Error, Equatable, CustomStringConvertible {
    /// A sentence for people that says what failed, on what and why.
    public let message: String
    /// The next step, if there is one that helps.
    public let hint: String?

    /// The message with the hint.
    public var description: String { [message, hint].compactMap { $0 }.joined(separator: "; ") }

    package init(_ message: String, hint: String?) {
        self.message = message
        self.hint = hint
    }
}

extension SceneTree {
    /// The update that makes the scene, as JSON with a line for each node.
    fileprivate var golden: String {
        var rest = whole.body
        let nodes = whole.set.map { node in
            var bytes: [UInt8] = []
            node.json.write(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        rest["set"] = nil
        let head = String(decoding: rest.serialized, as: UTF8.self).dropLast() + (rest.isEmpty ? "" : ",\n")
        return head + "\"set\":[\n" + nodes.joined(separator: ",\n") + "\n]}\n"
    }
}
