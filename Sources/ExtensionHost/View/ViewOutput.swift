// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import NotificationPayload

/// The form in which `view` prints what it sees.
enum ViewFormat: String, ExpressibleByArgument, CaseIterable {
    case human, json
}

/// Prints the states of one view: as lines for people where they changed, or as a line of JSON for each.
struct ViewOutput {
    let format: ViewFormat
    /// The lines that were printed last.
    private var last = ""

    init(_ format: ViewFormat) {
        self.format = format
    }

    /// Names the payload, where there are several.
    func begin(_ name: String) throws {
        if format == .human { try Output.write("\(name):\n") }
    }

    /// Names a step before it is taken.
    func announce(_ step: ViewStep) throws {
        if format == .human { try Output.write("> \(step.text)\n") }
    }

    /// Prints the state behind so many steps, or why the last of them was not possible.
    mutating func show(_ course: ViewCourse, step: Int, failure: CommandError? = nil) throws {
        switch format {
        case .human:
            guard course.text != last else { return }
            last = course.text
            try Output.write(last)
        case .json:
            var object = course.json(step: step)
            object["error"] = (failure?.message).map(JSON.string)
            object["hint"] = (failure?.hint).map(JSON.string)
            try Output.write(String(decoding: object.serialized, as: UTF8.self) + "\n")
        }
    }

    /// Prints a scene that no step led to, which people see with the next step.
    mutating func showUnasked(_ scene: ViewCourse, step: Int) throws {
        if format == .json { try show(scene, step: step) }
    }
}
