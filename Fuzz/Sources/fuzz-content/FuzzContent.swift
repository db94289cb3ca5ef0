// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks

/// Bytes as plaintext: what FORMAT.md says of it, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let result = ContentCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result != .broken, "what was read breaks a promise")
    return 0
}
