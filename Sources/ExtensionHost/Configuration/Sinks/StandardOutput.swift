// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import Sinks

/// Standard output as a sink: the word `stdout`.
struct StandardOutput: LocalSinkDescription {
    static let key = "stdout"
    static let messageName = "stdout"
    static let sentence = "Standard output, one record a line."
    static let isWord = true

    static var rows: [ConfigurationRow<Self>] {
        []
    }

    var name: String { Self.key }

    var writableFolders: [String] { [] }

    func makeSink(clock: HostClock, logger: Logger) -> any Sink {
        StdoutSink()
    }
}
