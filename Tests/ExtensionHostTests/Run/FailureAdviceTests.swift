// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Testing

@testable import ExtensionHost

/// The next step after each way in which an extension can fail.
struct FailureAdviceTests {
    private static let app = AppConfiguration(topic: "com.example.chat")
    private static let failures: [ExtensionFailure] = [
        .timeWillExpireIgnored, .budgetExceeded, .crashed(signal: SIGILL), .crashed(signal: SIGSEGV),
        .crashed(signal: SIGSYS), .crashed(signal: SIGKILL), .memoryLimitExceeded, .exitedEarly, .protocolViolation,
        .launchFailed, .noWorker, .otherOwner,
    ]

    @Test(arguments: FailureAdvice.Section.allCases)
    func `each section is a heading of the page, which is found with its line`(section: FailureAdvice.Section) throws {
        let place = try #require(FailureAdvice.place(of: section))
        let parts = place.split(separator: ":")
        let text = try String(contentsOfFile: String(parts[0]), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[try #require(Int(parts[1])) - 1] == "### \(section.rawValue)")
    }

    @Test func `without the page its name and the section's are said`() {
        #expect(FailureAdvice.place(of: .limits, program: "/nowhere/bin") == nil)
    }

    @Test func `an installed program finds the page among the package's documents`() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("advice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent(
            "share/doc/nestbox/Sources/UserNotifications/UserNotifications.docc"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let page = folder.appendingPathComponent("WhatDoesNotWork.md")
        try Data("# What does not work here\n\n### Limits and rules\n".utf8).write(to: page)
        let program = root.appendingPathComponent("bin").path
        #expect(FailureAdvice.place(of: .limits, program: program) == "\(page.standardizedFileURL.path):3")
    }

    @Test(arguments: failures)
    func `each failure has a sentence that says what to do`(failure: ExtensionFailure) {
        let advice = FailureAdvice(failure, app: Self.app)
        #expect(advice.text.count > 40)
        #expect(advice.lines.count == (advice.section == nil ? 1 : 2))
    }

    @Test func `limits are those of the app`() {
        let expired = FailureAdvice(.budgetExceeded, app: Self.app).text
        #expect(expired.hasPrefix("it did not answer within 30.0 s: "))
        let large = FailureAdvice(.memoryLimitExceeded, app: Self.app).text
        #expect(large.hasPrefix("it held more than 24.0 MB, "))
    }
}
