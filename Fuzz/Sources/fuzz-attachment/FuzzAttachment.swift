// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks

/// Bytes as an entry, as chunks behind good tags or as a sealed file: a plaintext, a refusal, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let result = AttachmentCheck()(Array(UnsafeBufferPointer(start: bytes, count: count)))
    precondition(result != .broken, "an attachment breaks a promise")
    if case .refused(.memory(let error)) = result { fatalError("\(error)") }
    return 0
}
