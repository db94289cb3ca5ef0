// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as an app's categories: a set that reads the same once stored, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    CategoryCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
