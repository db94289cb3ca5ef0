// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as a call, a trigger or an answer: one that reads the same once written, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    CallCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
