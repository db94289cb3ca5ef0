// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a part of host.yaml; one reading finds as much as it can.
struct ConfigurationFaults: Error, Equatable {
    private struct Fault: Equatable {
        let line: Int
        let error: CommandError
    }

    private var faults: [Fault] = []

    init() {}

    init(line: Int, _ error: CommandError) {
        faults = [Fault(line: line, error: error)]
    }

    mutating func add(_ others: ConfigurationFaults) {
        faults += others.faults
    }

    var isEmpty: Bool { faults.isEmpty }

    /// The errors in the order of their lines; those of one line keep the order in which they were found.
    var errors: [CommandError] {
        faults.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element.error)
    }

    /// - Throws: these faults, if there is one.
    func check() throws(ConfigurationFaults) {
        guard isEmpty else { throw self }
    }
}

extension ConfigurationFaults: CommandFailure {
    /// The fault on the first line, for a command that stops there.
    package var commandError: CommandError { errors.first ?? CommandError("the configuration cannot be read") }
}
