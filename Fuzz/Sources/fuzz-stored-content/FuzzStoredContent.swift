// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as a stored content: one that reads the same once stored, damage, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    StoredContentCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
