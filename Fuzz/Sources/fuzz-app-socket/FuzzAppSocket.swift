// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as packets on an app's socket: what both ends may say, a violation, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    AppSocketCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
