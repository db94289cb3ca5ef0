// SPDX-License-Identifier: Apache-2.0

import FleetHistory
import Foundation

// Reads a history of a fleet from standard input, one event a line, and prints each promise that was broken. Exits 0 if
// none was, 1 if one was, 65 at a line that is no event.
var history = FleetHistory()
while let line = readLine() {
    guard let event = FleetHistory.Event(line) else {
        FileHandle.standardError.write(Data("fleet-checker: error: \"\(line)\" is no event\n".utf8))
        exit(65)
    }
    history.add(event)
}
let faults = history.faults.map(\.description).sorted()
for fault in faults { print(fault) }
exit(faults.isEmpty ? 0 : 1)
