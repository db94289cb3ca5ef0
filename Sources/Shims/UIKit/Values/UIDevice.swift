// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: it has no state.
/// The machine, as far as it names itself.
///
/// Views are laid out for a phone held upright, so that it says it is one.
open class UIDevice: NSObject, @unchecked Sendable {
    /// This machine.
    public class var current: UIDevice { UIDevice() }

    /// "Linux": the machine's own name stays with the host.
    open var name: String { "Linux" }
    /// "Linux".
    open var model: String { "Linux" }
    /// "Linux".
    open var localizedModel: String { "Linux" }
    /// "Linux".
    open var systemName: String { "Linux" }
    /// The kernel's version, as Foundation tells it.
    open var systemVersion: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    }
    /// Always `nil`, because there is no vendor's identifier.
    open var identifierForVendor: UUID? { nil }

    /// A phone.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// Upright.
    open var orientation: UIDeviceOrientation { .portrait }
    /// False, because there are no turns to tell of.
    open var isGeneratingDeviceOrientationNotifications: Bool { false }
    /// False: programs run beside each other, but no view is told.
    open var isMultitaskingSupported: Bool { false }

    /// False; setting it does nothing, as there is no battery to watch.
    open var isBatteryMonitoringEnabled: Bool {
        get { false }
        set { _ = newValue }
    }
    /// Always −1, Apple's number for a level that is not known.
    open var batteryLevel: Float { -1 }
    /// The state is not known.
    open var batteryState: BatteryState { .unknown }

    /// Does nothing: a machine that does not turn tells of no turns.
    open func beginGeneratingDeviceOrientationNotifications() {}

    /// Does nothing: a machine that does not turn tells of no turns.
    open func endGeneratingDeviceOrientationNotifications() {}

    /// The name of the message that a machine was turned; nobody sends it.
    public class var orientationDidChangeNotification: Notification.Name {
        Notification.Name("UIDeviceOrientationDidChangeNotification")
    }

    /// The name of the message that a battery's level has changed; nobody sends it.
    public class var batteryLevelDidChangeNotification: Notification.Name {
        Notification.Name("UIDeviceBatteryLevelDidChangeNotification")
    }

    /// The name of the message that a battery's state has changed; nobody sends it.
    public class var batteryStateDidChangeNotification: Notification.Name {
        Notification.Name("UIDeviceBatteryStateDidChangeNotification")
    }

    /// The state of a battery.
    public enum BatteryState: Int, Sendable {
        /// Nobody watches it.
        case unknown
        /// Running on the battery.
        case unplugged
        /// Plugged in, not full.
        case charging
        /// Plugged in and full.
        case full
    }
}

/// The way in which a machine is held.
public enum UIDeviceOrientation: Int, Sendable {
    /// The way is not known.
    case unknown
    /// Upright.
    case portrait
    /// Upright, the lower side above.
    case portraitUpsideDown
    /// Turned on the side, the upper side to the left.
    case landscapeLeft
    /// Turned on the side, the upper side to the right.
    case landscapeRight
    /// Flat, the screen above.
    case faceUp
    /// Flat, the screen below.
    case faceDown

    /// True for the two upright ways.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    /// True for the two ways on the side.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// True for the two flat ways.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }
    /// True for the four ways in which an interface turns along.
    public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
