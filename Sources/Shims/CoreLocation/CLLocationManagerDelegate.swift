// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An object that hears from a location manager, on the main queue.
///
/// Calls come for an error and for the permission, and for nothing else here.
/// Source: Apple, "CLLocationManagerDelegate".
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Never called: nothing measures a place.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Called when a request ends with an error, as each does.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Called once for a manager with a delegate: nothing is allowed.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
    /// Called with the other one, for sources that know this one alone.
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
    /// Never called: nothing measures a heading.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
    /// Never called: no region is watched.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
    /// Never called: no region is watched.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
    /// Never called: no region is watched.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
    /// Called when a region is to be watched, with `CLError(.regionMonitoringDenied)`.
    func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    )
}

extension CLLocationManagerDelegate {
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Does nothing.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager,
        monitoringDidFailFor region: CLRegion?,
        withError error: any Error
    ) {}
}

/// The permission of a person.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nobody was asked.
    case notDetermined
    /// The device does not allow it.
    case restricted
    /// The person does not allow it, as it is here.
    case denied
    /// The person allows it at all times.
    case authorizedAlways
    /// The person allows it while the app is used.
    case authorizedWhenInUse
}

/// The exactness that a place may have.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// The place is exact.
    case fullAccuracy
    /// The place is right to some kilometres.
    case reducedAccuracy
}

/// The kind of way on which a device is.
public enum CLActivityType: Int, Sendable {
    /// A way of any kind.
    case other = 1
    /// A way in a car.
    case automotiveNavigation
    /// A way on foot.
    case fitness
    /// A way on another vehicle.
    case otherNavigation
    /// A way in the air.
    case airborne
}

// SAFETY: it has no state that changes.
/// The direction of a device; there is none.
///
/// Source: Apple, "CLHeading".
open class CLHeading: NSObject, @unchecked Sendable {
    /// The direction from the magnetic pole: below zero, since there is none.
    open var magneticHeading: CLLocationDirection { -1 }
    /// The direction from the geographic pole: below zero, since there is none.
    open var trueHeading: CLLocationDirection { -1 }
    /// The bound of the error: below zero, since there is no direction.
    open var headingAccuracy: CLLocationDirection { -1 }
}
