// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime

/// The next step for a push whose extension failed: what happened, what to look at, and where that is described.
struct FailureAdvice {
    /// A section of the page that tells what Linux lacks.
    enum Section: String, CaseIterable {
        case language = "Language and libraries"
        case limits = "Limits and rules"
    }

    let text: String
    let section: Section?

    init(_ failure: ExtensionFailure, app: AppConfiguration) {
        let budget = HumanText.time(app.budget)
        switch failure {
        case .timeWillExpireIgnored:
            text =
                "it had its last call \(HumanText.time(app.grace)) before the end of \(budget) and did not answer: call "
                + "the content handler in serviceExtensionTimeWillExpire(), and look at what it waits for"
            section = .limits
        case .budgetExceeded:
            text =
                "it did not answer within \(budget): look at what it waits for, as a call back that does not come here"
            section = .limits
        case .crashed(let signal):
            (text, section) = Self.crash(signal)
        case .memoryLimitExceeded:
            text =
                "it held more than \(HumanText.size(app.memoryLimitByteCount)), which is a phone's limit in spirit: use "
                + "less at once, or say --memory"
            section = .limits
        case .exitedEarly:
            text = "its process ended before it had called the content handler: look for exit() and for the end of main"
            section = nil
        case .protocolViolation:
            text = "its program does not speak the protocol of a worker: PROTOCOL.md, \"Worker\""
            section = nil
        case .launchFailed:
            text = "its program did not start: \"extension-host doctor\" tells what this machine offers"
            section = nil
        case .noWorker:
            text = "no process took it within \(HumanText.time(app.wait)): say --workers or --wait"
            section = .limits
        case .otherOwner:
            text = "it serves as many other owners as it can: say --workers"
            section = nil
        }
    }

    private static func crash(_ signal: Int32) -> (String, Section?) {
        switch signal {
        case SIGILL, SIGTRAP:
            (
                "Swift stopped it, as at a nil that is unwrapped by force, and says the line above; what differs from a "
                    + "phone is mostly a value that Linux lacks",
                .language
            )
        case SIGSYS:
            (
                "it asked the kernel for what the sandbox refuses, such as a process or a socket of its own: "
                    + "docs/sandbox.md, \"What a started process is\"",
                nil
            )
        case SIGKILL, SIGXCPU:
            ("the kernel ended it: it took more memory or processor than it may", .limits)
        default:
            ("it was ended by signal \(signal): look at its last lines, above", .language)
        }
    }

    /// The file and line of the section, in a checkout or where a package has it; `nil` where neither is.
    static func place(of section: Section, program: String = programFolder) -> String? {
        let page = "Sources/UserNotifications/UserNotifications.docc/WhatDoesNotWork.md"
        for root in [program + "/../../..", program + "/../share/doc/nestbox"] {
            let path = URL(fileURLWithPath: "\(root)/\(page)").standardizedFileURL.path
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            if let line = lines.firstIndex(of: "### \(section.rawValue)") { return "\(path):\(line + 1)" }
        }
        return nil
    }

    private static var programFolder: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// The lines for a terminal.
    var lines: [String] {
        guard let section else { return [text] }
        let page = Self.place(of: section) ?? "\"What does not work here\", \"\(section.rawValue)\""
        return [text, "what Linux lacks: \(page)"]
    }
}
