// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Takes bytes as a file's length and a header `Range`: a part, the whole, nothing, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    RangeCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
