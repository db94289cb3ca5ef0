// SPDX-License-Identifier: Apache-2.0

// Everything of Foundation comes with CoreMotion.
@_exported public import Foundation

/// The sensors of movement: there are none, and nothing that is begun is ever called.
///
/// Source: Apple, "CMMotionManager".
open class CMMotionManager: NSObject {
    /// Called with each measurement of speed that changes; never.
    public typealias AccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
    /// Called with each measurement of a turn; never.
    public typealias GyroHandler = (CMGyroData?, (any Error)?) -> Void
    /// Called with each measurement of a movement; never.
    public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

    /// False.
    open var isAccelerometerAvailable: Bool { false }
    /// False.
    open var isAccelerometerActive: Bool { false }
    /// False.
    open var isGyroAvailable: Bool { false }
    /// False.
    open var isGyroActive: Bool { false }
    /// False.
    open var isMagnetometerAvailable: Bool { false }
    /// False.
    open var isDeviceMotionAvailable: Bool { false }
    /// False.
    open var isDeviceMotionActive: Bool { false }
    /// `nil`.
    open var accelerometerData: CMAccelerometerData? { nil }
    /// `nil`.
    open var gyroData: CMGyroData? { nil }
    /// `nil`.
    open var deviceMotion: CMDeviceMotion? { nil }
    /// This has no effect.
    open var accelerometerUpdateInterval: TimeInterval = 0.01
    /// This has no effect.
    open var gyroUpdateInterval: TimeInterval = 0.01
    /// This has no effect.
    open var deviceMotionUpdateInterval: TimeInterval = 0.01
    /// This has no effect.
    open var showsDeviceMovementDisplay = false

    /// Does nothing.
    open func startAccelerometerUpdates() {}
    /// Never calls.
    open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping AccelerometerHandler) {
    }
    /// Does nothing.
    open func stopAccelerometerUpdates() {}
    /// Does nothing.
    open func startGyroUpdates() {}
    /// Never calls.
    open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping GyroHandler) {}
    /// Does nothing.
    open func stopGyroUpdates() {}
    /// Does nothing.
    open func startDeviceMotionUpdates() {}
    /// Never calls.
    open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler) {}
    /// Does nothing.
    open func stopDeviceMotionUpdates() {}
}

/// A measurement; there is none.
open class CMLogItem: NSObject {
    /// The time of the measurement.
    open var timestamp: TimeInterval { 0 }
}

/// A measurement of speed that changes; there is none.
open class CMAccelerometerData: CMLogItem {
    /// The change along the three axes.
    open var acceleration: CMAcceleration { CMAcceleration() }
}

/// A measurement of a turn; there is none.
open class CMGyroData: CMLogItem {
    /// The turn about the three axes.
    open var rotationRate: CMRotationRate { CMRotationRate() }
}

/// A measurement of a movement; there is none.
open class CMDeviceMotion: CMLogItem {
    /// The place of the device in space.
    open var attitude: CMAttitude { CMAttitude() }
    /// The turn about the three axes.
    open var rotationRate: CMRotationRate { CMRotationRate() }
    /// The direction of the ground.
    open var gravity: CMAcceleration { CMAcceleration() }
    /// The change of speed by a person.
    open var userAcceleration: CMAcceleration { CMAcceleration() }
}

/// The place of a device in space, in radians.
open class CMAttitude: NSObject {
    open var roll: Double { 0 }
    open var pitch: Double { 0 }
    open var yaw: Double { 0 }
}

/// A change of speed along three axes, in the Earth's own.
public struct CMAcceleration: Sendable {
    /// Along x.
    public var x = 0.0
    /// Along y.
    public var y = 0.0
    /// Along z.
    public var z = 0.0

    /// Takes three zeros.
    public init() {}

    /// Takes its parts.
    public init(x: Double, y: Double, z: Double) {
        (self.x, self.y, self.z) = (x, y, z)
    }
}

/// A turn about three axes, in radians a second.
public struct CMRotationRate: Sendable {
    /// Along x.
    public var x = 0.0
    /// Along y.
    public var y = 0.0
    /// Along z.
    public var z = 0.0

    /// Takes three zeros.
    public init() {}

    /// Takes its parts.
    public init(x: Double, y: Double, z: Double) {
        (self.x, self.y, self.z) = (x, y, z)
    }
}

/// The counter of steps: there is none, and nothing that is begun is ever called.
open class CMPedometer: NSObject {
    /// False.
    open class func isStepCountingAvailable() -> Bool { false }
    /// Does nothing.
    open func stopUpdates() {}
}
