// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HostRuntime

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
        add(path)
        add(FileFacts(at: path).map { "\($0.byteCount) \($0.modified) \($0.number)" } ?? "-")
    }

    var text: String {
        digest.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
