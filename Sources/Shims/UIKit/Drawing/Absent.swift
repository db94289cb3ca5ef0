// SPDX-License-Identifier: Apache-2.0

import HostLog

/// The log's word on what UIKit has and a view here has not.
enum Absent {
    /// Writes once for each name that a source uses what is not drawn or called, and what happens instead.
    static func note(_ name: String, _ instead: String) {
        HostLog.warnOnce("\(name) has no effect here: \(instead)")
    }
}
