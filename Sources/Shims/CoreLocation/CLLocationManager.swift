// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Foundation
import Locking

/// The best accuracy, with the help of other sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
/// Three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// The accuracy of an app that may not know more.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 4_294_967_295
/// Every movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1

// SAFETY: what may change lies behind a mutex.
/// The place of the device: nobody knows it here, so that each request ends with `CLError(.denied)`.
///
/// Delegates are called on the main queue. Where the owner of a notification centre says where he is, location triggers
/// fire (UNLocationNotificationTrigger); an extension does not learn the place.
/// Source: Apple, "CLLocationManager".
open class CLLocationManager: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any CLLocationManagerDelegate)?
        var wasTold = false
        var accuracy = kCLLocationAccuracyBest
        var filter = kCLDistanceFilterNone
        var activity = CLActivityType.other
        var pauses = true
        var background = false
    }

    private let state = Locked(State())

    /// A manager that nothing is allowed.
    public override init() {}

    /// The object that hears; it hears at once that nothing is allowed.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            let isFirst = state.withLock { state in
                state.delegate = newValue
                defer { state.wasTold = state.wasTold || newValue != nil }
                return !state.wasTold && newValue != nil
            }
            guard isFirst else { return }
            tell { manager, delegate in
                delegate.locationManagerDidChangeAuthorization(manager)
                delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
            }
        }
    }

    /// The permission, which is denied.
    open var authorizationStatus: CLAuthorizationStatus { .denied }
    /// Exact, as of a manager that was never restricted.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    /// False.
    open var isAuthorizedForWidgetUpdates: Bool { false }
    /// The last place: `nil`.
    open var location: CLLocation? { nil }
    /// The last heading: `nil`.
    open var heading: CLHeading? { nil }
    /// No regions: none is watched.
    open var monitoredRegions: Set<CLRegion> { [] }
    /// A number below zero, since no region can be watched.
    open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

    /// This has no effect: nothing is measured.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock { $0.accuracy } }
        set { state.withLock { $0.accuracy = newValue } }
    }
    /// This has no effect: nothing is measured.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }
    /// This has no effect: nothing is measured.
    open var activityType: CLActivityType {
        get { state.withLock { $0.activity } }
        set { state.withLock { $0.activity = newValue } }
    }
    /// This has no effect: nothing is measured.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { state.withLock { $0.pauses } }
        set { state.withLock { $0.pauses = newValue } }
    }
    /// This has no effect: nothing is measured.
    open var allowsBackgroundLocationUpdates: Bool {
        get { state.withLock { $0.background } }
        set { state.withLock { $0.background = newValue } }
    }

    /// False.
    open class func locationServicesEnabled() -> Bool { false }
    /// The permission, which is denied.
    open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
    /// False.
    open class func headingAvailable() -> Bool { false }
    /// False.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { false }
    /// False.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { false }
    /// False.
    open class func isRangingAvailable() -> Bool { false }

    /// Asks nobody: it is denied already.
    open func requestWhenInUseAuthorization() {}
    /// Asks nobody: it is denied already.
    open func requestAlwaysAuthorization() {}

    /// Asks for the place once; the delegate hears `CLError(.denied)`.
    open func requestLocation() { deny() }
    /// Asks for each place; the delegate hears `CLError(.denied)`.
    open func startUpdatingLocation() { deny() }
    /// Does nothing.
    open func stopUpdatingLocation() {}
    /// Asks for places far from each other; the delegate hears `CLError(.denied)`.
    open func startMonitoringSignificantLocationChanges() { deny() }
    /// Does nothing.
    open func stopMonitoringSignificantLocationChanges() {}
    /// Asks for headings; the delegate hears `CLError(.headingFailure)`.
    open func startUpdatingHeading() { fail(.headingFailure) }
    /// Does nothing.
    open func stopUpdatingHeading() {}
    /// Asks for a region to be watched; the delegate hears `CLError(.regionMonitoringDenied)`.
    open func startMonitoring(for region: CLRegion) {
        tell {
            $1.locationManager($0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringDenied))
        }
    }
    /// Does nothing.
    open func stopMonitoring(for region: CLRegion) {}

    private func deny() { fail(.denied) }

    private func fail(_ code: CLError.Code) {
        tell { $1.locationManager($0, didFailWithError: CLError(code)) }
    }

    private func tell(_ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        DispatchQueue.main.async {
            guard let delegate = self.delegate else { return }
            call(self, delegate)
        }
    }
}
