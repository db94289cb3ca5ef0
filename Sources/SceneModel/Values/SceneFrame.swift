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

extension Members {
    /// Takes a frame; `nil` means that it is absent.
    mutating func optionalFrame(_ key: String = "f") throws(MemberFault) -> SceneFrame? {
        guard let numbers = try optionalNumbers(key, count: 4, SceneLimits.number) else { return nil }
        guard SceneLimits.length.contains(numbers[2]), SceneLimits.length.contains(numbers[3]) else {
            throw .outOfRange(path(of: key))
        }
        return SceneFrame(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Takes a place; `nil` means that it is absent.
    mutating func optionalPoint(_ key: String) throws(MemberFault) -> ScenePoint? {
        try optionalNumbers(key, count: 2, SceneLimits.number).map { ScenePoint($0[0], $0[1]) }
    }

    /// Takes a size; `nil` means that it is absent.
    mutating func optionalSize(_ key: String) throws(MemberFault) -> SceneSize? {
        try optionalNumbers(key, count: 2, SceneLimits.extent).map { SceneSize($0[0], $0[1]) }
    }
}
