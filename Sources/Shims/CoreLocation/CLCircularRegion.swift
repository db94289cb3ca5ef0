// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking

// SAFETY: immutable after `init`, but for what lies behind the mutex of the base class.
/// A circle on the surface of the Earth.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    private let middle: CLLocationCoordinate2D
    private let metres: CLLocationDistance

    /// Takes any circle; Apple makes one that is too large for its hardware smaller, and here nothing is.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        middle = center
        metres = radius
        super.init(identifier: identifier)
    }

    private init(_ other: CLCircularRegion) {
        middle = other.middle
        metres = other.metres
        super.init(identifier: other.identifier, flags: other.flags.withLock { $0 })
    }

    /// The middle of the circle.
    open var center: CLLocationCoordinate2D { middle }
    /// Metres.
    open var radius: CLLocationDistance { metres }

    /// Returns whether a place is inside, its border included.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { middle.distance(to: coordinate) <= metres }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns a region of its own.
    open override func copy(with zone: NSZone? = nil) -> Any { CLCircularRegion(self) }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CLCircularRegion else { return false }
        return other.middle.latitude == middle.latitude && other.middle.longitude == middle.longitude
            && other.metres == metres
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard ["latitude", "longitude", "radius"].allSatisfy(coder.containsValue(forKey:)) else { return nil }
        middle = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude")
        )
        metres = coder.decodeDouble(forKey: "radius")
        super.init(coder: coder)
    }

    /// Archives what a region has, middle and radius.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(middle.latitude, forKey: "latitude")
        coder.encode(middle.longitude, forKey: "longitude")
        coder.encode(metres, forKey: "radius")
    }
}
