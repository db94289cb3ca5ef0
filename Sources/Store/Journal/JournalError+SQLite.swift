// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import HostRuntime

extension JournalError {
    /// Sorts an error of SQLite by what can be done about it.
    init(_ error: any Error, path: String) {
        self =
            switch DatabaseFailure(error, path: path) {
            case .corrupt(let message): .corrupt(message)
            case .locked: .locked
            case .full(let message), .disk(let message): .disk(message)
            }
    }
}
