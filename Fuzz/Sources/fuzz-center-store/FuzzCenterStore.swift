// SPDX-License-Identifier: Apache-2.0

import CenterChecks

/// One folder for the whole run; libFuzzer calls from one thread.
private let check = StoreCheck()

/// Bytes as work for a store: results and rows of the naive one, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let check else { fatalError("no folder") }
    check(Array(UnsafeBufferPointer(start: bytes, count: count))).hold()
    return 0
}
