// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// The word to the service manager that a unit of `Type=notify` has started; without a manager it goes nowhere.
package enum ServiceReadiness {
    package static func tell() { sd_notify(0, "READY=1") }
}
