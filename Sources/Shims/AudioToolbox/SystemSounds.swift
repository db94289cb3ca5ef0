// SPDX-License-Identifier: Apache-2.0

// Everything of Foundation comes with AudioToolbox.
@_exported public import Foundation
import HostLog

/// The number of a sound of the system.
public typealias SystemSoundID = UInt32

/// The number that stands for a short vibration.
///
/// Source: Apple, "Identifying Vibration".
public var kSystemSoundID_Vibrate: SystemSoundID { 0x0FFF }

/// Plays nothing: the host's log says so once.
///
/// Source: Apple, "AudioServicesPlaySystemSound(_:)".
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
    warn("AudioServicesPlaySystemSound", inSystemSoundID)
}

/// Plays nothing: the host's log says so once.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
    warn("AudioServicesPlayAlertSound", inSystemSoundID)
}

/// Plays nothing, and calls the block before it returns: the host's log says so once.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID,
    _ inCompletionBlock: (() -> Void)?
) {
    warn("AudioServicesPlaySystemSoundWithCompletion", inSystemSoundID)
    inCompletionBlock?()
}

/// Plays nothing, and calls the block before it returns: the host's log says so once.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID,
    _ inCompletionBlock: (() -> Void)?
) {
    warn("AudioServicesPlayAlertSoundWithCompletion", inSystemSoundID)
    inCompletionBlock?()
}

private func warn(_ function: String, _ sound: SystemSoundID) {
    let absence = sound == kSystemSoundID_Vibrate ? "is nothing that vibrates" : "are no sounds of the system"
    HostLog.warnOnce("\(function) has no effect here: there \(absence)")
}
