// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import FoundationCompatibility

/// A class with names, told as `extension-host build` tells them.
class Target: NSObject {
    var logo: Target?
    var list: [Target]?
    private(set) var calls = 0

    override init() {
        Self.names
    }

    fileprivate func none() -> String { "none" }
    private func one(_ text: String) -> String { "one \(text)" }
    private func two(_ text: String, with other: String) -> String { "two \(text) \(other)" }
    private func optional(_ text: String?) -> String { "opt \(text ?? "-")" }
    private func number() -> Int { 7 }
    private func void() { calls += 1 }
    private func fresh() -> Target { Target() }
    private func slid(_ target: Target) { calls += 1 }
    private func fired(_ timer: Timer) { calls += timer.userInfo as? Int ?? 100 }
    private func posted(_ notification: Notification) { calls += 1 }
    private func postedObject(_ notification: NSNotification) { calls += 10 }

    private static let names: Void = {
        ObjectiveCNames.register("none", of: Target.self) { object, _ in object.none() }
        ObjectiveCNames.register("one:", of: Target.self) { object, arguments in try object.one(arguments.value(0)) }
        ObjectiveCNames.register("two:with:", of: Target.self) { object, arguments in
            try object.two(arguments.value(0), with: arguments.value(1))
        }
        ObjectiveCNames.register("optional:", of: Target.self) { object, arguments in
            try object.optional(arguments.value(0))
        }
        ObjectiveCNames.register("number", of: Target.self) { object, _ in object.number() }
        ObjectiveCNames.register("void", of: Target.self) { object, _ in object.void() }
        ObjectiveCNames.register("fresh", of: Target.self) { object, _ in object.fresh() }
        ObjectiveCNames.register("slid:", of: Target.self) { object, arguments in
            try object.slid(arguments.value(0))
        }
        ObjectiveCNames.register("fired:", of: Target.self) { object, arguments in
            try object.fired(arguments.value(0))
        }
        ObjectiveCNames.register("posted:", of: Target.self) { object, arguments in
            try object.posted(arguments.value(0))
        }
        ObjectiveCNames.register("postedObject:", of: Target.self) { object, arguments in
            try object.postedObject(arguments.value(0))
        }
        ObjectiveCNames.registerOutlet("logo", of: Target.self) { object, value in object.logo = try value.cast() }
        ObjectiveCNames.registerOutlet("list", of: Target.self) { object, value in object.list = try value.cast() }
    }()
}

final class Subclass: Target {
    override init() {
        super.init()
        Self.names
    }

    private static let names: Void = {
        ObjectiveCNames.register("none", of: Subclass.self) { _, _ in "sub none" }
        ObjectiveCNames.register("only", of: Subclass.self) { _, _ in nil }
    }()
}

/// A class of the main actor, as UIKit's are.
@MainActor final class MainTarget: NSObject {
    private(set) var noted: [String] = []
    let stream: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation

    override init() {
        (stream, continuation) = AsyncStream.makeStream()
        super.init()
        Self.tellNames()
    }

    private func note(_ text: String?) -> String {
        noted.append(text ?? "-")
        continuation.yield(MainThread.isCurrent)
        return "noted \(text ?? "-")"
    }

    private static func tellNames() {
        ObjectiveCNames.register("note:", of: MainTarget.self) { object, arguments in
            try object.note(arguments.value(0))
        }
    }
}

/// A class of no actor with a function of the main one.
final class MixedTarget: NSObject, Sendable {
    let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    override init() {
        (stream, continuation) = AsyncStream.makeStream()
        super.init()
        Self.names
    }

    @MainActor private func onMain() { continuation.yield("main \(MainThread.isCurrent)") }
    private func anywhere() { continuation.yield("other \(MainThread.isCurrent)") }

    private static let names: Void = {
        ObjectiveCNames.registerOnMainActor("onMain", of: MixedTarget.self) { object, _ in object.onMain() }
        ObjectiveCNames.register("anywhere", of: MixedTarget.self) { object, _ in object.anywhere() }
    }()
}
