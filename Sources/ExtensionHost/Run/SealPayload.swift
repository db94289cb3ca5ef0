// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The sender's program, beside this one: the host has no code that seals.
enum SealPayload {
    /// Returns the program's output; what the program says to people goes where this program's messages go.
    static func run(_ arguments: [String], input: Data = Data()) throws(CommandError) -> String {
        let program = HostComposition.programFolder + "/seal-payload"
        let result: (output: Data, status: Int32)
        do {
            result = try ChildProgram(path: program, arguments: arguments, input: input).run()
        } catch {
            throw CommandError(error.message, hint: "seal-payload stands beside extension-host")
        }
        guard result.status == 0 else { throw CommandError("seal-payload did not seal the payload, see above") }
        return String(decoding: result.output, as: UTF8.self)
    }
}
