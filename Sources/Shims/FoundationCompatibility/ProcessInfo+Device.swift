// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ProcessInfo {
    /// False: there is no such mode here.
    public var isLowPowerModeEnabled: Bool { false }

    /// False, as on a phone.
    public var isiOSAppOnMac: Bool { false }

    /// False, as on a phone.
    public var isMacCatalystApp: Bool { false }
}
