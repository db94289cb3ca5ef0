// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folders of an app's home as iOS has them, below a worker's `home`.
///
/// Foundation on Linux has no folder `Library` and its own places for the others (`.cache`, `.local/share`); code for
/// phones takes the first of an empty list and traps.
enum HomeFolders {
    /// The folders that are there before an extension's code runs; those above others come first.
    static let names = ["Documents", "Library", "Library/Application Support", "Library/Caches", "Library/Preferences"]

    /// Makes the folders that are missing, and has Foundation name them.
    ///
    /// A folder that cannot be made is left out: an extension which does not use the folder loses nothing by that.
    static func make(below scratch: String) {
        for name in names { unsafe mkdir("\(scratch)/home/\(name)", 0o700) }
        HomeFileManager.becomeDefault()
    }

    /// The path below the home; nil for a folder that Foundation on Linux may name itself.
    static func name(of directory: FileManager.SearchPathDirectory) -> String? {
        switch directory {
        case .documentDirectory: "Documents"
        case .libraryDirectory, .allLibrariesDirectory: "Library"
        case .cachesDirectory: "Library/Caches"
        case .applicationSupportDirectory: "Library/Application Support"
        case .autosavedInformationDirectory: "Library/Autosave Information"
        case .inputMethodsDirectory: "Library/Input Methods"
        case .preferencePanesDirectory: "Library/PreferencePanes"
        case .documentationDirectory: "Library/Documentation"
        case .applicationDirectory, .allApplicationsDirectory: "Applications"
        case .moviesDirectory: "Movies"
        default: nil
        }
    }
}

/// Foundation's file manager with the places of iOS.
// SAFETY: the class has no stored property of its own, and Foundation says of the class above that it is Sendable.
final class HomeFileManager: FileManager, @unchecked Sendable {
    /// Makes the one that everybody shares an instance of this class.
    ///
    /// `FileManager.default` cannot be set. An object's class is the first word of the object, and a class without
    /// further stored properties has the layout of the class above it, so that the word alone is replaced. What
    /// Foundation derives from `urls(for:in:)` follows: `url(for:in:appropriateFor:create:)` and
    /// `NSSearchPathForDirectoriesInDomains`.
    static func becomeDefault() {
        let shared = FileManager.default
        guard type(of: shared) == FileManager.self else { return }
        // SAFETY: the layouts are the same; no other thread runs code of the extension yet, and nobody frees the shared
        // instance.
        let object = unsafe Unmanaged.passUnretained(shared).toOpaque()
        let metadata = unsafe unsafeBitCast(HomeFileManager.self as AnyClass, to: UnsafeRawPointer.self)
        unsafe object.storeBytes(of: metadata, as: UnsafeRawPointer.self)
    }

    override func urls(
        for directory: FileManager.SearchPathDirectory,
        in domains: FileManager.SearchPathDomainMask
    ) -> [URL] {
        guard domains.contains(.userDomainMask), let name = HomeFolders.name(of: directory) else {
            return super.urls(for: directory, in: domains)
        }
        return [URL(fileURLWithPath: "\(NSHomeDirectory())/\(name)", isDirectory: true)]
    }
}
