// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking

/// The first number of a beacon.
public typealias CLBeaconMajorValue = UInt16
/// The second number of a beacon.
public typealias CLBeaconMinorValue = UInt16

// SAFETY: immutable after `init`, but for what lies behind the mutex of the base class.
/// The surroundings of Bluetooth beacons, told apart by a UUID and two numbers; a number left out stands for all.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
    private struct Beacons: Hashable {
        let uuid: UUID
        let major: CLBeaconMajorValue?
        let minor: CLBeaconMinorValue?
    }

    private let beacons: Beacons

    private init(beacons: Beacons, identifier: String, flags: Flags = Flags()) {
        self.beacons = beacons
        super.init(identifier: identifier, flags: flags)
    }

    /// All beacons of a UUID.
    public convenience init(uuid: UUID, identifier: String) {
        self.init(beacons: Beacons(uuid: uuid, major: nil, minor: nil), identifier: identifier)
    }

    /// All beacons of a UUID and a first number.
    public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
        self.init(beacons: Beacons(uuid: uuid, major: major, minor: nil), identifier: identifier)
    }

    /// One beacon, or several that were given the same numbers.
    public convenience init(
        uuid: UUID,
        major: CLBeaconMajorValue,
        minor: CLBeaconMinorValue,
        identifier: String
    ) {
        self.init(beacons: Beacons(uuid: uuid, major: major, minor: minor), identifier: identifier)
    }

    /// The UUID that the beacons have in common.
    open var uuid: UUID { beacons.uuid }
    /// The first number; nil for all.
    open var major: NSNumber? { beacons.major.map(NSNumber.init(value:)) }
    /// The second number; nil for all.
    open var minor: NSNumber? { beacons.minor.map(NSNumber.init(value:)) }

    /// True if waking the display asks whether a beacon is near: stored without effect.
    open var notifyEntryStateOnDisplay: Bool {
        get { flags.withLock { $0.entryStateOnDisplay } }
        set { flags.withLock { $0.entryStateOnDisplay = newValue } }
    }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns a region of its own.
    open override func copy(with zone: NSZone? = nil) -> Any {
        CLBeaconRegion(beacons: beacons, identifier: identifier, flags: flags.withLock { $0 })
    }

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? CLBeaconRegion)?.beacons == beacons
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        func number(_ key: String) -> UInt16? {
            coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
        }
        guard coder.containsValue(forKey: "uuid"),
            let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
            let uuid = UUID(uuidString: text as String)
        else { return nil }
        beacons = Beacons(uuid: uuid, major: number("major"), minor: number("minor"))
        super.init(coder: coder)
    }

    /// Archives what a region has, UUID and numbers.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(beacons.uuid.uuidString as NSString, forKey: "uuid")
        if let major = beacons.major { coder.encode(Int(major), forKey: "major") }
        if let minor = beacons.minor { coder.encode(Int(minor), forKey: "minor") }
    }
}
