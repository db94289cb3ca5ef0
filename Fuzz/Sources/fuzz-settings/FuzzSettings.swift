// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as changes of settings: what they name, a refusal that changes nothing, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SettingsCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
