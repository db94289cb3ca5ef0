// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

@testable import SceneModel

extension SceneUpdate {
    /// Reads the body of an update as a worker writes it.
    init(text: String) throws {
        try self.init(try JSONObject(parsing: Array(text.utf8).span))
    }

    var text: String { String(decoding: body.serialized, as: UTF8.self) }
}

extension SceneTree {
    /// A scene from one update.
    init(_ nodes: SceneNode...) throws(SceneFault) {
        self.init()
        try apply(SceneUpdate(set: nodes))
    }

    /// Takes an update and returns the reason for which it does not fit.
    mutating func fault(_ update: SceneUpdate) -> SceneFault? {
        do throws(SceneFault) {
            try apply(update)
            return nil
        } catch {
            return error
        }
    }
}

extension SceneNode {
    static func view(_ id: UInt32, in up: UInt32 = 1, order: [UInt32] = []) -> SceneNode {
        SceneNode(id: id, up: up, .view, order: order)
    }

    static func text(_ id: UInt32, _ text: String, in up: UInt32 = 1) -> SceneNode {
        SceneNode(id: id, up: up, .text(SceneText([SceneText.Run(text)])))
    }

    /// The node that fills the box.
    static let root = SceneNode.view(1, in: 0)
}
