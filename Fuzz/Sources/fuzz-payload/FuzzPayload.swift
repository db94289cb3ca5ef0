// SPDX-License-Identifier: Apache-2.0

import UserNotificationsChecks

/// Bytes as a payload, to a content, and back: an equal JSON value, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let result = PayloadRoundTrip(checking: Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result == .holds || result == .notAPayload, "\(result)")
    return 0
}
