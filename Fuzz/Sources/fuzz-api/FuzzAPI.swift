// SPDX-License-Identifier: Apache-2.0

import CenterChecks
import Dispatch

/// One centre for the whole run.
private let check = APICheck()

/// Bytes as requests to the API, one a line: answers that keep what they say, or a trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let check else { fatalError("no store") }
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let isDone = DispatchSemaphore(value: 0)
    // Awaited by the semaphore: libFuzzer calls without a task.
    Task {
        await check(input).hold()
        isDone.signal()
    }
    isDone.wait()
    return 0
}
