// SPDX-License-Identifier: Apache-2.0

import Foundation
import Yams

/// The parts of a machine that a reading of host.yaml looks at beside the file.
enum ReadingScope: Equatable {
    /// A host that is to start, which may still look at everything that the file names.
    case start
    /// A host that runs, whose confinement leaves it the files of its listeners: bundles and users are not looked at.
    case reload
}

/// The place of a value in a configuration, for messages and for paths that are relative to its file.
struct ConfigurationPlace: Equatable {
    /// The file as messages name it.
    let file: String
    /// The mapping around the value as messages name it: `app "com.example.chat"`.
    let mapping: String
    let key: String
    let line: Int
    /// The mapping around the value, for names that a neighbour gives.
    let neighbours: Node
    var scope = ReadingScope.start

    /// Says what is wrong with the value.
    func fault(_ what: String, hint: String? = nil) -> ConfigurationFaults {
        ConfigurationFaults(line: line, CommandError("\(file):\(line): \(key) of \(mapping) \(what)", hint: hint))
    }

    /// Refuses an empty list that would shut everything out: most often it was written to say nothing.
    func emptyListFault(_ what: String) -> ConfigurationFaults {
        fault(what, hint: "leave the key out for the default")
    }

    /// A path is taken from the folder of the file when it is relative.
    func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: file).deletingLastPathComponent())
            .standardizedFileURL.path
    }
}
