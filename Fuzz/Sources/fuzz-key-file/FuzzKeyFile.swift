// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks

/// One file for the whole run; libFuzzer calls from one thread.
///
/// SAFETY: written once, at first use, and used by that thread only.
nonisolated(unsafe) private let check = KeyFileCheck()

/// Bytes as a key file: a ring that reads the same once written, a refusal with a line, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let check else { fatalError("no file") }
    let result = check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result != .broken, "a key file breaks a promise")
    return 0
}
