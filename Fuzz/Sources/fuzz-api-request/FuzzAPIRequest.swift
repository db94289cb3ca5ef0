// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as a request that comes to the port: read and judged as plainer readers do, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    RequestCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
