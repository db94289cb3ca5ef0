// SPDX-License-Identifier: Apache-2.0

import Locking

/// The folder of a worker, for modules that an extension calls.
package enum WorkerFolders {
    private static let current = Locked(String?.none)

    /// The one folder this process may write to, absolute; nil outside a worker and in one that has none.
    ///
    /// In it `home/` and `groups/` outlive the process where the app has storage.
    package static var scratch: String? { current.withLock { $0 } }

    /// Called once, before the extension's code runs.
    package static func set(scratch: String?) {
        current.withLock { $0 = scratch }
    }

    /// Tells whether a name may be that of an app group, and so of a folder.
    ///
    /// `group.` as Apple asks for, then letters, digits, hyphens, underscores and points; 128 characters at most.
    package static func isAppGroup(_ name: String) -> Bool {
        let bytes = name.utf8
        guard name.hasPrefix("group."), bytes.count > 6, bytes.count <= 128 else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
