// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks

/// One opener for the whole run; libFuzzer calls from one thread.
///
/// SAFETY: written once, at first use, and used by that thread only.
nonisolated(unsafe) private let check = OpenCheck()

/// Bytes as a sealed text or as a push: a payload, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let check else { fatalError("no opener: is memory for keys locked?") }
    let result = check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result != .broken, "an opened payload breaks a promise")
    return 0
}
