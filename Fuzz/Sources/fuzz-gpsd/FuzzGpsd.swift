// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Takes bytes as a line of gpsd: a position, another line, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    GpsdCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
