// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import OSLog
import Testing

extension LogTests {
    struct OSLogTests {
        private let log = OSLog(subsystem: "com.example.chat", category: "service")

        private func messages(_ body: () -> Void) -> [String] { recordingLog(body).map(\.message) }

        @Test func `os_log has all orders of its arguments`() {
            let name = "Alice"
            let lines = recordingLog {
                os_log("a")
                os_log("b", log: log)
                os_log("c", log: log, type: .error)
                os_log("d %d", log: log, type: .info, 4)
                os_log("e %{public}@", name)
                os_log(.debug, "f")
                os_log(.fault, log: log, "g %d", 5)
                os_log("h \(name)")
                os_log(.error, "i \(name, privacy: .public)")
                os_log("j", type: .debug)
                os_log("k", log: .disabled)
            }
            let source = "[com.example.chat:service]"
            #expect(
                lines.map(\.message) == [
                    "a", "\(source) b", "\(source) c", "\(source) d 4", "e Alice", "f", "\(source) g 5", "h <private>",
                    "i Alice", "j",
                ]
            )
            #expect(
                lines.map(\.level) == [
                    .notice, .notice, .error, .info, .notice, .debug, .fault, .notice, .error, .debug,
                ]
            )
        }

        @Test func `objects are private, numbers public, and words in braces say otherwise`() {
            let lines = messages {
                os_log("%@ %{public}@ %{private}@", "a", "b", "c")
                os_log("%d %{private}d %{sensitive}d", 1, 2, 3)
                os_log("%{public}@ %{public}@", 5, "text" as NSString)
                os_log("%{public, mask.hash}@", "a")
            }
            #expect(lines[0] == "<private> b <private>")
            #expect(lines[1] == "1 <private> <private>")
            #expect(lines[2] == "5 text")
            #expect(lines[3] == "a")
        }

        @Test func `conversions are those of printf`() {
            let lines = messages {
                os_log("%5d|%-5d|%05d|%+d|%ld|%llu", 1, 2, 3, 4, 5, 6 as UInt64)
                os_log("%x %X %#x %o %u", 255, 255, 255, 8, UInt32.max)
                os_log("%.2f %8.3f %e %g %*d", 3.14159, 2.5, 1500.0, 0.5, 4, 7)
                os_log("100%% %c %{bool}d %{BOOL}d", 65, 1, 0)
                os_log("%{public}s|%{public}.2s|%{errno}d", "abc", "abc", 2)
            }
            #expect(
                lines == [
                    "    1|2    |00003|+4|5|6", "ff FF 0xff 10 4294967295", "3.14    2.500 1.500000e+03 0.5    7",
                    "100% A true NO", "abc|ab|[2: No such file or directory]",
                ]
            )
        }

        @Test func `an argument that is missing or of another kind is named and never misread`() {
            let lines = messages {
                os_log("%d %d", 1)
                os_log("%d %f %{public}s %p", "text", 1, 2, 3)
                os_log("%{public}@ %", 1)
                os_log("%{open @", 1)
            }
            #expect(
                lines == [
                    "1 <decode: missing data>",
                    "<decode: mismatch for [%d]> <decode: mismatch for [%f]> <decode: mismatch for [%s]> "
                        + "<decode: mismatch for [%p]>",
                    "1 %", "%{open @",
                ]
            )
        }

        @Test func `a negative number keeps the width of its type in hexadecimal`() {
            #expect(messages { os_log("%x %llx", Int32(-1), Int64(-1)) } == ["ffffffff ffffffffffffffff"])
        }

        @Test func `signposts do nothing, and say so once`() {
            let lines = messages {
                let signposter = OSSignposter(subsystem: "com.example.chat", category: "service")
                let state = signposter.beginInterval("decrypt", id: signposter.makeSignpostID())
                signposter.endInterval("decrypt", state)
                #expect(signposter.withIntervalSignpost("work") { 7 } == 7)
                os_signpost(.begin, log: log, name: "decrypt", "%d", 1)
            }
            // Another test of this process may have been the first.
            #expect(lines.count <= 1)
            #expect(lines.allSatisfy { $0.hasPrefix("signposts have no effect") })
        }
    }
}
