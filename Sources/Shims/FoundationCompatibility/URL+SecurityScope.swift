// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension URL {
    /// Says whether the resource can be used from now on.
    ///
    /// Apple opens what lies outside of the sandbox and was handed over, until
    /// ``stopAccessingSecurityScopedResource()``. Here nothing is handed over that way: what a worker sees it may use
    /// all the time, and nothing has to be opened. So the answer is whether the file can be read.
    public func startAccessingSecurityScopedResource() -> Bool {
        isFileURL && FileManager.default.isReadableFile(atPath: path)
    }

    /// Without effect, since nothing was opened.
    public func stopAccessingSecurityScopedResource() {}
}
