// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// A circle as positions are compared with it: a belt along its border says neither inside nor outside.
///
/// The belt reaches 20 m to both sides, and as far as a fix may be wrong, so that who stands at the border crosses it
/// once. No circle is watched as a smaller one than of 40 m, because nothing would be inside of its belt.
package struct WatchedCircle: Sendable {
    /// Metres.
    static let leastRadius = 40.0
    /// Metres.
    static let leastBelt = 20.0

    private let center: Place
    private let radius: Double

    /// Takes a circle; `nil` means that its centre is no place.
    package init?(_ circle: RequestTrigger.Circle) {
        guard let center = Place(latitude: circle.latitude, longitude: circle.longitude) else { return nil }
        self.center = center
        radius = max(Self.leastRadius, circle.radius)
    }

    /// The box beyond which every fix that is fine enough is outside.
    package var box: BoundingBox { BoundingBox(around: center, reach: radius + PositionFix.worstAccuracy) }

    /// Returns the side of a fix; `nil` means that the fix lies in the belt.
    package func side(of fix: PositionFix) -> RegionSide? {
        let belt = max(Self.leastBelt, fix.accuracy)
        let distance = center.distance(to: fix.place)
        if distance <= radius - belt { return .inside }
        return distance >= radius + belt ? .outside : nil
    }
}
