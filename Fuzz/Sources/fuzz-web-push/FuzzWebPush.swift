// SPDX-License-Identifier: Apache-2.0

import IngressChecks

/// Bytes as what a Web Push sender writes: taken, refused, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let result = WebPushCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result != .broken, "a request breaks a promise")
    return 0
}
