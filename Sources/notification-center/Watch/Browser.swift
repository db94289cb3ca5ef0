// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program of a desktop that shows an address in the person's browser.
enum Browser {
    /// Starts the program, which nobody waits for; false means that there is none, or no desktop.
    static func open(_ address: String) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
        let folders = environment["PATH", default: ""].split(separator: ":").filter { $0.hasPrefix("/") }
        let paths = folders.map { "\($0)/xdg-open" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { return false }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: path)
        program.arguments = [address]
        (program.standardInput, program.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        program.standardError = FileHandle.nullDevice
        return (try? program.run()) != nil
    }
}
