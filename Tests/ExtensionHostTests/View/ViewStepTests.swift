// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import SceneModel
import Testing
import WorkerProtocol

@testable import ExtensionHost

/// The controls that steps name.
struct ViewStepTests {
    /// A scene of buttons with those titles, of which the first has the number 1 and the id 2.
    private func scene(_ titles: [String]) throws -> SceneTree {
        var tree = SceneTree()
        let buttons = titles.enumerated().map { number, title in
            SceneNode(id: UInt32(number + 2), up: 1, .button(SceneButton(title: title)))
        }
        try tree.apply(SceneUpdate(set: [SceneNode(id: 1, up: 0, .column(SceneFlow()))] + buttons))
        return tree
    }

    @Test(
        arguments: [
            (["7", "8", "2"], "2", 4), (["7", "8", "2"], "[2]", 3), (["7", "8", "2"], "3", 4),
            (["7", "8", "2"], "8", 3),
            (["2", "a", "2"], "2", 3), (["2", "a", "2"], "a", 3), (["9", "9"], "9", 2), (["[2]", "a"], "[2]", 2),
            (["a", "b"], "[1]", 2),
        ] as [([String], String, UInt32)]
    )
    func `a title that is a number is reached by it, and each number in brackets`(
        titles: [String],
        name: String,
        id: UInt32
    ) throws {
        let word = try ViewStep(.tap(name)).word(in: try scene(titles), response: 1, takesInteraction: true)
        #expect(word == .event(.node(id, .tap(at: nil))))
    }

    @Test(arguments: ["[3]", "[0]", "[]", "[-1]", "3", "c"])
    func `a number of no control is none`(name: String) throws {
        let scene = try scene(["a", "b"])
        #expect(ViewStep(.tap(name)).lacksControl(in: scene))
        #expect(
            throws: CommandError(
                "the scene has no control \"\(name)\"",
                hint: "controls are called by their label, title or number, as the scene shows them"
            )
        ) {
            try ViewStep(.tap(name)).word(in: scene, response: 1, takesInteraction: true)
        }
    }

    @Test(
        arguments: [
            (.slider(SceneRange(value: 0.5)), "it has 0 to 1"),
            (.stepper(SceneRange(value: 2, maximum: 9, step: 0.5)), "it has 0 to 9 in steps of 0.5"),
            (.switch(SceneSwitch(isOn: true)), "it is on or off"),
            (.segments(SceneSegments(titles: ["a", "b"])), "it has the titles that are printed, or 0 to 1"),
        ] as [(SceneKind, String)]
    )
    func `a value that a control cannot have is told what it can`(kind: SceneKind, advice: String) throws {
        var tree = SceneTree()
        try tree.apply(
            SceneUpdate(set: [SceneNode(id: 1, up: 0, .column(SceneFlow())), SceneNode(id: 2, up: 1, kind)])
        )
        let word = ViewWord.event(.node(2, .value(.number(77))))
        #expect(ViewStep(.set("x=77")).advice(on: .badValue, of: word, in: tree) == advice)
    }
}
