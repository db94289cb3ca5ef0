// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension URL {
    /// The folder `Documents` of the home.
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }

    /// The folder `Library` of the home.
    public static var libraryDirectory: URL { folder(.libraryDirectory, "Library") }

    /// The folder `Library/Caches` of the home.
    public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }

    /// The folder `Library/Application Support` of the home.
    public static var applicationSupportDirectory: URL {
        folder(.applicationSupportDirectory, "Library/Application Support")
    }

    /// The home of the app and its extensions.
    public static var homeDirectory: URL { URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true) }

    /// The folder for what need not outlive the process.
    public static var temporaryDirectory: URL { FileManager.default.temporaryDirectory }

    /// Returns the folder that Foundation names, else the one of this name in the home: outside a worker, Foundation
    /// names only some.
    private static func folder(_ directory: FileManager.SearchPathDirectory, _ name: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? homeDirectory.appendingPathComponent(name, isDirectory: true)
    }
}
