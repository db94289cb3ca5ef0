// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as date components: the date that they name, none, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    CalendarCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
