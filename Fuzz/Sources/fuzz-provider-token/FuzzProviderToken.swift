// SPDX-License-Identifier: Apache-2.0

import IngressChecks

private let check = ProviderTokenCheck()

/// Bytes as what a provider says of itself: taken only as it was signed, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let check else { fatalError("no key") }
    precondition(check(Array(UnsafeBufferPointer(start: bytes, count: count))) != .broken)
    return 0
}
