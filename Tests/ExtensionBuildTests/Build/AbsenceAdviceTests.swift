// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The advice on classes that are not here, among the errors that come from them.
struct AbsenceAdviceTests {
    private func advice(_ lines: String...) -> [String] {
        CompilerOutput(text: lines.map { $0 + "\n" }.joined(), succeeded: false).advice(missing: [])
    }

    @Test func `each reason is said once, with all that is not here for it`() {
        let reason = "a view has no tables: put the rows into a UIStackView"
        let said = advice(
            "/a/Cell.swift:17:42: error: 'CellStyle' is not a member type of class 'UIKit.UITableViewCell'",
            "   |     `- error: 'CellStyle' is not a member type of class 'UIKit.UITableViewCell'",
            "\u{1B}[1m/a/A.swift:8:1: \u{1B}[31merror: \u{1B}[39m'UITableViewCell' is unavailable: \(reason)",
            "/a/B.swift:66:33: error: 'UITableView' is unavailable: \(reason)",
            "/a/B.swift:70:33: error: 'UITableView' is unavailable: \(reason)",
            "/a/B.swift:71:33: error: 'UIAlertController' is unavailable: a view presents nothing"
        )
        #expect(
            said == ["UITableViewCell, UITableView: \(reason)", "UIAlertController: a view presents nothing"]
        )
    }

    @Test func `the compiler's own words suffice where there are no other errors`() {
        #expect(advice("/a/B.swift:66:33: error: 'UITableView' is unavailable: a view has no tables") == [])
        #expect(advice("/a/B.swift:6:3: error: cannot find 'a' in scope", "/a/B.swift:7:3: error: x") == [])
    }

    @Test func `a module of the app that hides one of the SDK's is to have another name`() {
        #expect(
            advice("<unknown>:0: error: circular dependency between modules 'Keychain' and 'Security'") == [
                "Security here stands on a module of the extension SDK that is called Keychain, too: give yours another "
                    + "name, --module OTHER=FOLDER, and import that"
            ]
        )
    }

    @Test func `a library of the machine that is not installed is named by its package`() {
        let expected = ["the library that SQLite3 names is not installed: apt-get install libsqlite3-dev"]
        #expect(advice("SQLite3.h:3:10: error: 'sqlite3.h' file not found") == expected)
        #expect(advice("ld.lld: error: unable to find library -lsqlite3") == expected)
    }
}
