// SPDX-License-Identifier: Apache-2.0

import IngressChecks

/// Bytes as the lines that a script writes: each refused or one push to every reader of JSON, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    precondition(PushLineCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))) != .broken)
    return 0
}
