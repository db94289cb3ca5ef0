// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import NotificationPayload

/// A rectangle in points, its origin from the top left corner of the parent.
///
/// JSON: a list of x, y, width and height.
package struct SceneFrame: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var json: JSON { .numbers([x, y, width, height]) }
}

/// A place in points from the top left corner of a node, as a JSON list of x and y.
package struct ScenePoint: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    package var json: JSON { .numbers([x, y]) }
}

/// A width and a height in points, as a JSON list of the two.
package struct SceneSize: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }

    package var json: JSON { .numbers([width, height]) }
}

extension JSON {
    static func numbers(_ numbers: [Double]) -> JSON { .array(numbers.map(JSON.double)) }
}
