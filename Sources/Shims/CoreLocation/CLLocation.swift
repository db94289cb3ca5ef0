// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Metres a second.
public typealias CLLocationSpeed = Double
/// Metres a second, as the bound of an error; below zero there is none.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees from north, clockwise, 0…359.9; below zero there is none.
public typealias CLLocationDirection = Double
/// Degrees, as the bound of an error; below zero there is none.
public typealias CLLocationDirectionAccuracy = Double

// SAFETY: immutable after `init`.
/// A place on the Earth with its height, its time and the bounds of their errors.
///
/// An extension makes one of numbers that it was sent; nothing here measures a place.
/// Source: Apple, "CLLocation".
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private struct Facts: Codable, Equatable {
        var latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy: Double
        var course = -1.0, courseAccuracy = -1.0, speed = -1.0, speedAccuracy = -1.0
        var timestamp: Date
    }

    private let facts: Facts

    private init(facts: Facts) {
        self.facts = facts
    }

    /// A place of this moment without a height: the altitude is 0, and its accuracy below zero.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            // Apple's: this initializer takes no time, and stamps its own.
            timestamp: Date()
        )
    }

    /// A place with its height, without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy,
            course: -1,
            speed: -1,
            timestamp: timestamp
        )
    }

    /// A place with its height, course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy,
            course: course,
            courseAccuracy: -1,
            speed: speed,
            speedAccuracy: -1,
            timestamp: timestamp
        )
    }

    /// A place with all its facts.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        self.init(
            facts: Facts(
                latitude: coordinate.latitude,
                longitude: coordinate.longitude,
                altitude: altitude,
                horizontalAccuracy: hAccuracy,
                verticalAccuracy: vAccuracy,
                course: course,
                courseAccuracy: courseAccuracy,
                speed: speed,
                speedAccuracy: speedAccuracy,
                timestamp: timestamp
            )
        )
    }

    /// The place.
    open var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: facts.latitude, longitude: facts.longitude)
    }
    /// Metres above the level of the sea.
    open var altitude: CLLocationDistance { facts.altitude }
    /// Metres above the ellipsoid: 0, since no place here has one of its own.
    open var ellipsoidalAltitude: CLLocationDistance { 0 }
    /// The floor of a building: `nil`.
    open var floor: CLFloor? { nil }
    /// Metres; below zero for a coordinate that is none.
    open var horizontalAccuracy: CLLocationAccuracy { facts.horizontalAccuracy }
    /// Metres; below zero for a height that is none.
    open var verticalAccuracy: CLLocationAccuracy { facts.verticalAccuracy }
    /// The direction of the way; below zero for none.
    open var course: CLLocationDirection { facts.course }
    /// Degrees; below zero for a course that is none.
    open var courseAccuracy: CLLocationDirectionAccuracy { facts.courseAccuracy }
    /// The speed of the way; below zero for none.
    open var speed: CLLocationSpeed { facts.speed }
    /// Metres a second; below zero for a speed that is none.
    open var speedAccuracy: CLLocationSpeedAccuracy { facts.speedAccuracy }
    /// The time at which the place was one's own.
    open var timestamp: Date { facts.timestamp }

    /// Metres along the surface of the Earth's ellipsoid, without heights.
    open func distance(from location: CLLocation) -> CLLocationDistance { coordinate.geodesic(to: location.coordinate) }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// The coordinate, its accuracy, the way and the time, in one line.
    open override var description: String {
        String(
            format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f) @ ",
            coordinate.latitude,
            coordinate.longitude,
            horizontalAccuracy,
            speed,
            course
        ) + timestamp.description
    }

    /// Returns the place itself, which nobody can change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares all facts.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CLLocation)?.facts == facts }

    /// The same for equal places.
    open override var hash: Int { [facts.latitude, facts.longitude].hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; `nil` for any other.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "facts"),
            let data = coder.decodeObject(of: NSData.self, forKey: "facts"),
            let facts = try? PropertyListDecoder().decode(Facts.self, from: data as Data)
        else { return nil }
        self.facts = facts
    }

    /// Archives all facts.
    open func encode(with coder: NSCoder) {
        guard let data = try? PropertyListEncoder().encode(facts) else { return }
        coder.encode(data as NSData, forKey: "facts")
    }
}

// SAFETY: it has no state that changes.
/// A floor of a building; no place here has one.
///
/// Source: Apple, "CLFloor".
open class CLFloor: NSObject, @unchecked Sendable {
    /// 0 for the ground floor.
    open var level: Int { 0 }
}
