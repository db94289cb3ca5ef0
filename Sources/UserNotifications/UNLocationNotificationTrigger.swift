// SPDX-License-Identifier: Apache-2.0

public import CoreLocation
public import Foundation

// SAFETY: immutable after `init`; the region is a copy that nobody changes.
/// Fires when the device enters or leaves a region, once or every time.
///
/// The region's `notifyOnEntry` and `notifyOnExit` say which of the two counts. The notification centre watches up to
/// 20 regions of an app, as far as somebody tells it where its owner is; `add(_:)` ends with
/// `notificationInvalidNoDate` for one more, and for a region in which neither counts. Source: Apple,
/// "UNLocationNotificationTrigger".
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    private let place: CLRegion

    /// Copies the region.
    public init(region: CLRegion, repeats: Bool) {
        place = region.copy() as? CLRegion ?? region
        super.init(repeats: repeats)
    }

    /// A copy each time: changing it does not change the trigger.
    open var region: CLRegion { place.copy() as? CLRegion ?? place }

    // MARK: NSObject, NSSecureCoding

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object) && (object as? UNLocationNotificationTrigger)?.place == place
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [CLCircularRegion.self, CLBeaconRegion.self]
        guard coder.containsValue(forKey: "region"),
            let region = coder.decodeObject(of: classes, forKey: "region") as? CLRegion
        else { return nil }
        place = region
        super.init(coder: coder)
    }

    /// Archives the region and `repeats`.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(place, forKey: "region")
    }
}
