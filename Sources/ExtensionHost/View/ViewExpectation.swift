// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import NotificationPayload
import SceneModel

/// A thing that `view` has to see for it to succeed: a member of a node, a call, or the end.
struct ViewExpectation: Sendable {
    fileprivate enum Subject: Sendable {
        case member(Member)
        case call(String)
        case end(String)
    }

    /// A member of the first node that has the name, the text, or the kind.
    fileprivate struct Member: Sendable {
        let node: String
        let key: String
        let value: String
    }

    /// Every way to read the text, since names and values may have an equals sign; one that holds is enough.
    private let subjects: [Subject]
    /// The expectation as a person wrote it.
    let text: String

    init(_ text: String) throws(CommandError) {
        let hint = "write NAME.MEMBER=VALUE, call=NAME or ended=REASON: --expect image.a=0.342 --expect call=dismiss"
        let pairs = ViewStep.pairs(text)
        guard let (first, value) = pairs.first else {
            throw CommandError("--expect \"\(text)\" has no \"=\"", hint: hint)
        }
        self.text = text
        switch first {
        case "call": subjects = [.call(value)]
        case "ended": subjects = [.end(value)]
        default:
            subjects = pairs.compactMap { name, value in
                guard let point = name.lastIndex(of: "."), point != name.startIndex else { return nil }
                let key = String(name[name.index(after: point)...])
                return .member(Member(node: String(name[..<point]), key: key, value: value))
            }
        }
        guard !subjects.isEmpty else {
            throw CommandError("--expect \"\(text)\" names no member of a node", hint: hint)
        }
    }

    /// True if the end is expected.
    var isOfEnd: Bool {
        if case .end = subjects[0] { true } else { false }
    }

    /// The sentence that says what was seen in its place; `nil` means that it is as expected.
    func failure(_ scene: SceneTree, calls: [String], end: String?) -> String? {
        var first: String?
        for subject in subjects {
            guard let failure = failure(of: subject, scene, calls: calls, end: end) else { return nil }
            // What is wrong with a node that is there says more than that there is none of another name.
            if case .member(let member) = subject, Self.node(member.node, in: scene) != nil { return failure }
            first = first ?? failure
        }
        return first
    }

    private func failure(of subject: Subject, _ scene: SceneTree, calls: [String], end: String?) -> String? {
        switch subject {
        case .call(let name):
            return calls.contains(name)
                ? nil : "expected \(text), but calls were: \(calls.isEmpty ? "none" : calls.joined(separator: ", "))"
        case .end(let reason):
            return end == reason ? nil : "expected \(text), but the view \(end.map { "ended as \($0)" } ?? "is open")"
        case .member(let member):
            guard let node = Self.node(member.node, in: scene) else {
                return "expected \(text), but no node is \"\(member.node)\""
            }
            guard Self.mayHave(member.key, node) else {
                return "expected \(text), but \(node.kind.name.rawValue) nodes have no member \"\(member.key)\""
            }
            let seen = node.json.object?[member.key]
            if member.isMet(by: seen) || member.isDefault(of: node) { return nil }
            return "expected \(text), but it is \(Self.text(of: seen))"
        }
    }

    /// The first node of that label, title or text, or of that kind.
    static func node(_ name: String, in scene: SceneTree) -> SceneNode? {
        scene.inOrder.first { $0.name?.isWord(name) == true } ?? scene.inOrder.first { $0.kind.name.rawValue == name }
    }

    /// True if nodes of that kind may have such a member, whatever its value.
    private static func mayHave(_ key: String, _ node: SceneNode) -> Bool {
        guard var object = node.json.object, object[key] == nil else { return true }
        object[key] = .null
        do throws(MemberFault) {
            _ = try SceneUpdate(["set": [.object(object)]])
            return true
        } catch .unknownMember {
            return false
        } catch {
            return true
        }
    }

    fileprivate static func text(of value: JSON?) -> String {
        guard let value else { return "absent" }
        if let text = value.string { return ForeignText.visible(String(text.prefix(200))) }
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        return ForeignText.visible(String(decoding: bytes, as: UTF8.self))
    }
}

extension ViewExpectation.Member {
    fileprivate func isMet(by seen: JSON?) -> Bool {
        if let number = Double(value), let other = seen?.double { return abs(number - other) <= 1e-9 }
        if let text = seen?.string { return text.isWord(value) }
        return seen.map { ViewExpectation.text(of: $0) == value } ?? false
    }

    /// True if the value is the one that a node has without the member.
    fileprivate func isDefault(of node: SceneNode) -> Bool {
        guard var object = node.json.object, object[key] == nil else { return false }
        object[key] = (try? JSON(parsing: Array(value.utf8).span)) ?? .string(value)
        return (try? SceneUpdate(["set": [.object(object)]]))?.set.first == node
    }
}
