// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The Swift libraries that this process runs with.
package enum SwiftRuntime {
    /// The folder of the libraries, by the name under which the loader found it.
    ///
    /// `nil` means that they are part of the program.
    ///
    /// Extensions built with the same toolchain look for them there.
    package static let folder: String? = {
        guard let file = unsafe linux_file_of_symbol("swift_retain") else { return nil }
        let path = unsafe String(cString: file)
        guard path.hasPrefix("/"), path.contains("/libswift"), let slash = path.lastIndex(of: "/") else { return nil }
        return String(path[..<slash])
    }()
}
