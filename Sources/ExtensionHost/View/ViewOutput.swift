// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import NotificationPayload

/// The form in which `view` prints what it sees.
enum ViewFormat: String, ExpressibleByArgument, CaseIterable {
    case human, json
}

/// Prints the states of one view: as lines for people where they changed, or as a line of JSON for each.
///
/// An error is said on standard error, behind the state that it led to and before what follows.
struct ViewOutput {
    /// The ways out of the process.
    struct Outlets: Sendable {
        /// Takes what is printed; throws when nobody reads it.
        var print: @Sendable (String) throws -> Void = { try Output.write($0) }
        /// Takes an error for people.
        var report: @Sendable (CommandError) -> Void = { Terminal.report($0) }
    }

    let format: ViewFormat
    /// The payload's path where there are several; it stands before the errors of its view.
    private let name: String?
    private let outlets: Outlets
    /// The lines that were printed last.
    private var last = ""

    init(_ format: ViewFormat, name: String? = nil, _ outlets: Outlets = Outlets()) {
        self.format = format
        self.name = name
        self.outlets = outlets
    }

    /// Names the payload, where there are several.
    func begin() throws {
        if format == .human, let name { try outlets.print("\(name):\n") }
    }

    /// Names a step before it is taken.
    func announce(_ step: ViewStep) throws {
        if format == .human { try outlets.print("> \(step.text)\n") }
    }

    /// Prints the state behind so many steps, or why the last of them was not possible.
    mutating func show(_ course: ViewCourse, step: Int, failure: CommandError? = nil) throws {
        switch format {
        case .human:
            guard course.text != last else { return }
            last = course.text
            try outlets.print(last)
        case .json:
            var object = course.json(step: step)
            object["error"] = (failure?.message).map(JSON.string)
            object["hint"] = (failure?.hint).map(JSON.string)
            try outlets.print(String(decoding: object.serialized, as: UTF8.self) + "\n")
        }
    }

    /// Prints a scene that no step led to, which people see with the next step.
    mutating func showUnasked(_ scene: ViewCourse, step: Int) throws {
        if format == .json { try show(scene, step: step) }
    }

    /// Says what was not possible, or not as expected.
    func report(_ failure: CommandError) {
        outlets.report(CommandError((name.map { "\($0): " } ?? "") + failure.message, hint: failure.hint))
    }
}
