// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import Glibc

/// One line on standard error that grows while a file is worked on; nothing where that is no terminal.
///
/// The line is drawn at most ten times a second, as wide as the terminal is then, and cleared at the end.
final class ProgressBar {
    private let verb: String
    private let isShown: Bool
    private var lastDrawn: ContinuousClock.Instant?
    private static let interval = Duration.milliseconds(100)

    init(_ verb: String) {
        self.verb = verb
        let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
        isShown = isatty(STDERR_FILENO) == 1 && !isDumb
    }

    func update(_ progress: AttachmentProgress) -> AttachmentProgress.Answer {
        guard isShown else { return .proceed }
        let now = ContinuousClock.now
        if let lastDrawn, now - lastDrawn < Self.interval { return .proceed }
        lastDrawn = now
        let line = Self.line(
            verb,
            completed: progress.completedByteCount,
            total: progress.totalByteCount,
            columns: Self.columns
        )
        Terminal.write("\r\(line)\u{1B}[K", to: STDERR_FILENO)
        return .proceed
    }

    func clear() {
        guard lastDrawn != nil else { return }
        lastDrawn = nil
        Terminal.write("\r\u{1B}[K", to: STDERR_FILENO)
    }

    /// One column less than `columns`, so that no terminal wraps.
    static func line(_ verb: String, completed: Int, total: Int?, columns: Int) -> String {
        let mebibytes = "\(completed >> 20) MiB"
        guard let total, total > 0 else { return String("\(verb) \(mebibytes)".prefix(max(0, columns - 1))) }
        let share = Double(min(completed, total)) / Double(total)
        let percent = "\(Int(share * 100)) %"
        let padding = String(repeating: " ", count: max(0, 5 - percent.count))
        let width = columns - 1 - verb.count - " [] ".count - 5
        guard width >= 4 else { return String("\(verb) \(percent)".prefix(max(0, columns - 1))) }
        let filled = Int(share * Double(width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        return "\(verb) [\(bar)] \(padding)\(percent)"
    }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
