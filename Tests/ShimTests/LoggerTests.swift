// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import OSLog
import Testing

extension LogTests {
    struct LoggerTests {
        private let logger = Logger(subsystem: "com.example.chat", category: "service")

        private func messages(_ body: (Logger) -> Void) -> [String] {
            recordingLog { body(Logger()) }.map(\.message)
        }

        @Test func `each method has the level of Apple's`() {
            let lines = recordingLog {
                logger.trace("a")
                logger.debug("b")
                logger.info("c")
                logger.notice("d")
                logger.log("e")
                logger.warning("f")
                logger.error("g")
                logger.critical("h")
                logger.fault("i")
                logger.log(level: .info, "j")
            }
            #expect(
                lines.map(\.level) == [
                    .debug, .debug, .info, .notice, .notice, .error, .error, .fault, .fault, .info,
                ]
            )
            #expect(lines[0].message == "[com.example.chat:service] a")
        }

        @Test func `text and objects are private unless they are said to be public`() {
            let name = "Alice"
            let url = URL(fileURLWithPath: "/secret")
            let error = NSError(domain: "Alice", code: 7)
            struct Failure: Error {}
            let lines = messages { logger in
                logger.info("\(name) \(url) \(error) \(Failure()) \(Failure.self) \(["a"])")
                logger.info("\(name, privacy: .public) \(url, privacy: .public) \(Failure(), privacy: .public)")
                logger.info("\(name, privacy: .sensitive) \(name, privacy: .private)")
            }
            #expect(
                lines == [
                    "<private> <private> <private> <private> <private> <private>",
                    "Alice file:///secret Failure()",
                    "<private> <private>",
                ]
            )
        }

        @Test func `numbers and booleans are public unless they are said to be private`() {
            let count: UInt8 = 200
            let lines = messages { logger in
                logger.info("\(1) \(-2 as Int64) \(count) \(1.5) \(true) \(2.5 as Float)")
                logger.info("\(1, privacy: .private) \(true, privacy: .private) \(1.5, privacy: .sensitive)")
            }
            #expect(lines == ["1 -2 200 1.500000 true 2.500000", "<private> <private> <private>"])
        }

        @Test func `formats and columns are those of printf`() {
            let lines = messages { logger in
                logger.info("\(255, format: .hex) \(255, format: .hex(includePrefix: true, uppercase: true))")
                logger.info("\(Int8(-1), format: .hex) \(8, format: .octal) \(7, format: .decimal(minDigits: 3))")
                logger.info("\(7, format: .decimal(explicitPositiveSign: true)) \(Int.min)")
                logger.info("\(3.14159, format: .fixed(precision: 2)) \(1500.0, format: .exponential(precision: 1))")
                logger.info("[\(5, align: .right(columns: 4))] [\("ab", align: .left(columns: 4), privacy: .public)]")
                logger.info("\(true, format: .answer) \(Int32(2), format: .darwinErrno)")
            }
            #expect(
                lines == [
                    "ff 0XFF", "ff 10 007", "+7 -9223372036854775808", "3.14 1.5e+03", "[   5] [ab  ]",
                    "yes [2: No such file or directory]",
                ]
            )
        }

        @Test func `a hash mask tells equal from different, and nothing else`() {
            let lines = messages { logger in
                for name in ["Alice", "Alice", "Bob"] {
                    logger.info("\(name, privacy: .private(mask: .hash))")
                }
            }
            #expect(lines[0] == lines[1])
            #expect(lines[0] != lines[2])
            #expect(lines[0].hasPrefix("<mask.hash: '"))
            #expect(!lines[0].contains("Alice"))
        }
    }
}
