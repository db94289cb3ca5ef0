// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// Bytes as updates and events of a view: a scene that keeps its bounds, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SceneCheck.check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
