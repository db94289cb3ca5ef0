// SPDX-License-Identifier: Apache-2.0

import IngressChecks

/// Bytes as a provider's request: a push within its bounds, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    precondition(RequestHeadCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))) != .broken)
    return 0
}
