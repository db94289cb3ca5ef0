// SPDX-License-Identifier: Apache-2.0

// Whose `stat` the compiler takes depends on what else the module imports.
import CDispatch
import Crypto
import Foundation

/// A digest of all that a bundle is made of, kept in its Info.plist, so that a second build of the same is none.
struct BuildStamp {
    static let key = "NestboxBuildStamp"

    private var digest = SHA256()

    mutating func add(_ text: String) {
        add(Data(text.utf8))
    }

    mutating func add(_ data: Data) {
        withUnsafeBytes(of: UInt64(data.count).bigEndian) { digest.update(bufferPointer: $0) }
        digest.update(data: data)
    }

    /// A file by what tells two of its versions apart; for the large ones of the SDK and the compiler.
    mutating func add(fileAt path: String) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        add(path)
        add(isThere ? "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino)" : "-")
    }

    var text: String {
        digest.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
