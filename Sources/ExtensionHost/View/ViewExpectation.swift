// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import NotificationPayload
import SceneModel

/// A thing that `view` has to see for it to succeed: a member of a node, a call, or the end.
struct ViewExpectation: Sendable {
    private enum Subject: Sendable {
        /// The member of the first node that has the name, the text, or the kind.
        case member(of: String, String)
        case call
        case end
    }

    private let subject: Subject
    private let value: String
    private let text: String

    init(_ text: String) throws(CommandError) {
        let hint = "write NAME.MEMBER=VALUE, call=NAME or ended=REASON: --expect image.a=0.342 --expect call=dismiss"
        guard let (name, value) = ViewStep.pair(text) else {
            throw CommandError("--expect \"\(text)\" has no \"=\"", hint: hint)
        }
        self.text = text
        self.value = value
        switch name {
        case "call": subject = .call
        case "ended": subject = .end
        default:
            guard let point = name.lastIndex(of: "."), point != name.startIndex else {
                throw CommandError("--expect \"\(text)\" names no member of a node", hint: hint)
            }
            subject = .member(of: String(name[..<point]), String(name[name.index(after: point)...]))
        }
    }

    /// True if the end is expected.
    var isOfEnd: Bool {
        if case .end = subject { true } else { false }
    }

    /// The sentence that says what was seen in its place; `nil` means that it is as expected.
    func failure(_ scene: SceneTree, calls: [String], end: String?) -> String? {
        switch subject {
        case .call:
            return calls.contains(value)
                ? nil : "expected \(text), but calls were: \(calls.isEmpty ? "none" : calls.joined(separator: ", "))"
        case .end:
            return end == value ? nil : "expected \(text), but the view \(end.map { "ended as \($0)" } ?? "is open")"
        case .member(let name, let member):
            guard let node = Self.node(name, in: scene) else { return "expected \(text), but no node is \"\(name)\"" }
            let seen = node.json.object?[member]
            if isMet(by: seen) || isDefault(member, of: node) { return nil }
            return "expected \(text), but it is \(Self.text(of: seen))"
        }
    }

    /// The first node of that label, title or text, or of that kind.
    static func node(_ name: String, in scene: SceneTree) -> SceneNode? {
        scene.inOrder.first { $0.name?.isWord(name) == true } ?? scene.inOrder.first { $0.kind.name.rawValue == name }
    }

    /// True if the expected value is the one that a node has when the member is absent.
    private func isDefault(_ member: String, of node: SceneNode) -> Bool {
        guard var object = node.json.object, object[member] == nil else { return false }
        object[member] = (try? JSON(parsing: Array(value.utf8).span)) ?? .string(value)
        return (try? SceneUpdate(["set": [.object(object)]]))?.set.first == node
    }

    private func isMet(by seen: JSON?) -> Bool {
        if let number = Double(value), let other = seen?.double { return abs(number - other) <= 1e-9 }
        if let text = seen?.string { return text.isWord(value) }
        return seen.map { Self.text(of: $0) == value } ?? false
    }

    private static func text(of value: JSON?) -> String {
        guard let value else { return "absent" }
        if let text = value.string { return ForeignText.visible(String(text.prefix(200))) }
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
