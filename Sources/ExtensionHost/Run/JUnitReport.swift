// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// Pushes as test cases, in the form that build servers read.
///
/// Source: the JUnit XML that Jenkins and its like accept; there is no standard of it.
struct JUnitReport {
    let suite: String
    let results: [RunResult]
    let expectation: Expectation

    var xml: String {
        let failed = results.count { !expectation.isMet(by: $0.record) }
        let seconds = results.reduce(Duration.zero) { $0 + $1.record.timings.total } / .seconds(1)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites><testsuite name="\#(Self.escaped(suite))" tests="\#(results.count)" failures="\#(failed)" "#
                + #"errors="0" skipped="0" time="\#(seconds)">"#,
        ]
        for result in results { lines += testCase(result) }
        return (lines + ["</testsuite></testsuites>", ""]).joined(separator: "\n")
    }

    private func testCase(_ result: RunResult) -> [String] {
        let record = result.record
        let seconds = record.timings.total / .seconds(1)
        var lines = [
            #"<testcase classname="\#(Self.escaped(suite))" name="\#(Self.escaped(result.name))" time="\#(seconds)">"#
        ]
        if !expectation.isMet(by: record) {
            let ended = [record.outcome.name, record.reason].compactMap { $0 }.joined(separator: ", ")
            let message = "ended in \(ended), expected was \(expectation.text)"
            lines.append(
                #"<failure message="\#(Self.escaped(message))" type="\#(record.reason ?? record.outcome.name)"/>"#
            )
        }
        if !result.lines.isEmpty {
            let text = result.lines.map { Self.escaped($0.text) }.joined(separator: "\n")
            lines.append("<system-out>\(text)</system-out>")
        }
        return lines + ["</testcase>"]
    }

    /// Characters that XML has no place for, even escaped, become question marks.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A file that is opened while the process may, and written at the end.
struct ReportFile {
    private let handle: FileHandle
    private let path: String

    init(_ path: String) throws(CommandError) {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw CommandError("\"\(path)\" cannot be written: \(String(cString: strerror(errno)))")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ text: String) throws(CommandError) {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw CommandError("\"\(path)\" cannot be written: \(error.localizedDescription)")
        }
    }
}
