// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// The font of a text: a size and a weight of the one family that every page draws with.
package struct SceneFont: Sendable, Equatable {
    package static let sizes = 1.0...512.0
    package static let weights: ClosedRange<Int64> = 100...900

    /// Points.
    package var size: Double
    /// 400 is regular, 700 is bold; the page draws with the nearest weight that it has.
    package var weight: Int
    package var isItalic: Bool

    package init(size: Double, weight: Int = 400, isItalic: Bool = false) {
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
    }

    package static let body = SceneFont(size: 17)

    package var json: JSON {
        var object: JSONObject = ["size": .double(size)]
        if weight != 400 { object["weight"] = .integer(Int64(weight)) }
        if isItalic { object["italic"] = true }
        return .object(object)
    }
}
