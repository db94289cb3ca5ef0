// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionHost

/// The amount of memory for workers: half of what the machine and its control groups allow.
struct MachineMemoryTests {
    private static let machine = "MemTotal:        8000000 kB\nMemFree:         1000000 kB\n"

    @Test(
        arguments: [
            (machine, [], 8_000_000 << 10), (machine, ["max\n", "max\n"], 8_000_000 << 10),
            (machine, ["max\n", "1073741824\n", "4294967296\n"], 1 << 30),
            // A group may be given more than there is.
            (machine, ["99999999999999\n"], 8_000_000 << 10), ("", ["536870912\n"], 1 << 29), ("", [], 1 << 30),
        ] as [(String, [String], UInt64)]
    )
    func `the smallest of machine and groups counts`(machine: String, groups: [String], expected: UInt64) {
        let memory = MachineMemory(machine: machine, groupLimits: groups)
        #expect(memory.byteCount == expected)
        #expect(memory.ofWorkers == expected / 2)
    }

    @Test func `this machine has some`() {
        #expect(MachineMemory.ofThisProcess.byteCount > 1 << 20)
    }
}
