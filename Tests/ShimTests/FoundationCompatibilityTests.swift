// SPDX-License-Identifier: Apache-2.0

import HostLog
import OSLog
import Testing

@testable import FoundationCompatibility

struct FormatArgumentTests {
    @Test func `collections and objects stand as %@ in a format`() {
        let error = NSError(domain: "com.example", code: 7)
        #expect(String(format: "%@|%@", [1, 2], NSNumber(value: 3)) == "(\n    1,\n    2\n)|3")
        #expect(String(format: "%@", ["a": 1]) == "{\n    a = 1;\n}")
        #expect(String(format: "%@ %d", error, 5).hasSuffix(" 5"))
        #expect(String(format: "%@", error).contains("com.example"))
        #expect(String(format: "%@", URL(fileURLWithPath: "/a")) == "file:///a")
    }

    @Test func `a long description lives as long as the call`() {
        let numbers = Array(0..<2000)
        let description = (numbers as NSArray).description
        for _ in 0..<20 { #expect(String(format: "%@", numbers) == description) }
    }

    @Test func `what a process sees it may use at once`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        #expect(!file.startAccessingSecurityScopedResource())
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(file.startAccessingSecurityScopedResource())
        file.stopAccessingSecurityScopedResource()
        #expect(try Data(contentsOf: file) == Data("text".utf8))
        #expect(URL(string: "https://example.com").map { $0.startAccessingSecurityScopedResource() } == false)
    }

    @Test func `autoreleasepool gives back what its body returns, and throws what it throws`() {
        struct Failure: Error, Equatable {}
        #expect(autoreleasepool { 7 } == 7)
        #expect(throws: Failure()) { try autoreleasepool { throw Failure() } }
    }

    @Test func `names of Core Foundation are bridged`() {
        let key: CFString = "key" as CFString
        let dictionary = [key as String: kCFBooleanTrue as Any] as CFDictionary
        #expect((dictionary as? [String: Bool]) == ["key": true])
        #expect(kCFBooleanFalse! == false)
    }
}

extension LogTests {
    struct FoundationCompatibilityLogTests {
        @Test func `os_log takes objects of Foundation`() {
            let lines = recordingLog {
                os_log("%@ %{public}@", NSError(domain: "a", code: 1), NSNumber(value: 5))
                os_log("%{public}@", ["k": "v"])
            }
            #expect(lines.map(\.message) == ["<private> 5", "{\n    k = v;\n}"])
        }

        @Test func `a post to other processes is named in the log, once`() {
            let lines = recordingLog {
                for _ in 0..<2 {
                    CFNotificationCenterPostNotification(
                        CFNotificationCenterGetDarwinNotifyCenter(),
                        CFNotificationName("com.example.changed" as CFString),
                        nil,
                        nil,
                        true
                    )
                }
            }
            #expect(
                lines.map(\.message) == [
                    "notification \"com.example.changed\" posted to other processes: nobody listens"
                ]
            )
        }
    }
}

struct LocalizedTextTests {
    private func text(_ value: String.LocalizationValue, in format: String) -> String { value.text(in: format) }

    @Test func `a key has a conversion for each value`() {
        let value: String.LocalizationValue = "100% of \(3) files, \(1.5) from \("Alice") \(UInt8(7))"
        #expect(value.key == "100%% of %lld files, %lf from %@ %u")
        #expect(value.arguments == ["3", "1.500000", "Alice", "7"])
    }

    @Test func `the values of a translation may stand in another order`() {
        #expect(text("\("Alice") sent \(3) files", in: "%2$lld Dateien von %1$@") == "3 Dateien von Alice")
        #expect(text("\("Alice")", in: "%@ %@ 5% %%") == "Alice  5% %")
        #expect(text("\("%@") \("b")", in: "%@ %@") == "%@ b")
    }

    @Test func `without a table the text is the key with its values`() {
        let count = 3
        #expect(String(localized: "plain 100%") == "plain 100%")
        #expect(String(localized: "\(count) files") == "3 files")
        #expect(String(localized: "KEY", defaultValue: "\(count) new", comment: "none") == "3 new")
    }
}
