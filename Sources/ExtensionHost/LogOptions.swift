// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging

struct LogOptions: ParsableArguments {
    @Option(help: "Least level that is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = "notice"

    func validate() throws {
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("unknown log level \"\(logLevel)\"")
        }
    }

    /// Writes to standard error; standard output belongs to delivery records.
    var logger: Logger {
        var logger = Logger(label: Terminal.program, factory: StreamLogHandler.standardError(label:))
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        return logger
    }
}
