// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging

struct LogOptions: ParsableArguments {
    @Option(help: "Least level that is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = "notice"

    static let stream = BoundedLineStream(descriptor: 2)

    func validate() throws {
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("unknown log level \"\(logLevel)\"")
        }
    }

    /// Writes to standard error, without ever waiting for its reader; standard output belongs to delivery records.
    func makeLogger(extensionLog: ExtensionLog? = nil) -> Logger {
        let threshold = Logger.Level(rawValue: logLevel) ?? .notice
        var logger = Logger(label: Terminal.program) { label in
            let handler = StreamLogHandler(label: label, stream: Self.stream)
            guard let extensionLog, extensionLog.keepsLines else { return handler }
            return ExtensionLogHandler(log: extensionLog, rest: handler, threshold: threshold)
        }
        logger.logLevel = extensionLog?.keepsLines == true ? .trace : threshold
        return logger
    }
}
