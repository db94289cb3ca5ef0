// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Locking
import SceneModel

@testable import UIKit

/// Runs the body with the view in another place.
///
/// The place belongs to the process. Tests that set or read it stay on the main actor from the first call to the last,
/// so that none runs inside of another.
@MainActor
func shown<Result>(in environment: ViewEnvironment, _ body: () throws -> Result) rethrows -> Result {
    let previous = Surroundings.environment
    Surroundings.environment = environment
    defer { Surroundings.environment = previous }
    return try body()
}

/// Runs the body; returns the lines that the log of the process has at its end and that begin with `start`.
@MainActor
func lines(startingWith start: String, _ body: () throws -> Void) rethrows -> [String] {
    let lines = Locked<[String]>([])
    HostLog.redirect { _, message in lines.withLock { $0.append(message) } }
    defer { HostLog.redirect(to: nil) }
    try body()
    return lines.withLock { $0 }.filter { $0.hasPrefix(start) }
}

extension UITraitCollection {
    static let inLight = UITraitCollection(userInterfaceStyle: .light)
    static let inDark = UITraitCollection(userInterfaceStyle: .dark)
}

/// The head of a PNG file of that size, which is all that is read of one.
func png(_ width: UInt8, _ height: UInt8) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
        + Data([0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0])
}

/// Runs the body with a bundle of files, each a PNG file as many pixels wide and high as said.
func withBundle<Result>(_ files: [String: UInt8], _ body: (Bundle) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bundle")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, side) in files {
        let file = folder.appending(path: name)
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try png(side, side).write(to: file)
    }
    guard let bundle = Bundle(url: folder) else { throw CocoaError(.fileNoSuchFile) }
    return try body(bundle)
}
