// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging
import Sinks

/// A file of records.
struct ConfiguredFile: LocalSinkDescription {
    static let key = "file"
    static let messageName = "a file sink"
    static let sentence = "A file to which each record is written as a line before its push is concluded."

    var name = "file"
    var path = ""
    var synchronises = true

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "name",
            .sinkName,
            \.name,
            "The name of the sink in logs and metrics.",
            example: "records"
        )
        ConfigurationRow(
            "path",
            .path,
            \.path,
            "The file; rename it to begin a new one.",
            required: true,
            example: "records.ndjson"
        )
        ConfigurationRow(
            "sync",
            .flag,
            \.synchronises,
            "Whether each record is on the disk before its push is forgotten.",
            example: "false"
        )
    }

    var writableFolders: [String] { [URL(fileURLWithPath: path).deletingLastPathComponent().path] }

    func makeSink(clock: HostClock, logger: Logger) throws(CommandError) -> any Sink {
        do {
            return try FileSink(name: name, path: path, synchronises: synchronises, clock: clock, logger: logger)
        } catch {
            throw CommandError("\(error.message): \"\(path)\"", hint: "its folder must be there")
        }
    }
}
