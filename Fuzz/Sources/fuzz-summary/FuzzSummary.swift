// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as a stack: the summary that a plainer writer writes, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SummaryCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
