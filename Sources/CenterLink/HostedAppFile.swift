// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// A file of an app, and where it lies on the host's disk.
package struct HostedAppFile: Sendable, Equatable {
    package let file: AppFile
    /// An absolute path.
    package let path: String

    package init(_ file: AppFile, path: String) {
        self.file = file
        self.path = path
    }
}
