// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One process is started at a time, and its pipes are made in that time.
///
/// A child of Foundation's `Process` inherits what other threads open while it starts: an input whose writing end is
/// held by a stranger does not end, and the end of a process whose socket it holds goes unnoticed.
package enum ProcessStart {
    private static let lock = NSLock()

    package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try lock.withLock(body)
    }
}
