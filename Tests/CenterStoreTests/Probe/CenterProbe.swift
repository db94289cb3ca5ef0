// SPDX-License-Identifier: Apache-2.0

import CenterSteps
// Commits random work to a store, one line for each commit once it has returned: that it is there, or why it failed and
// what a maintenance right after says. A commit that failed is not tried again. To be killed, or to have its system
// calls fail. With "remove" it removes the app com.example.chat of the owner me instead, in one commit.
//
// Usage: center-probe FOLDER COMMITS SEED
//        center-probe FOLDER remove
import CenterStore
import DatabaseFile
import Foundation

@main
enum CenterProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[2] == "remove" { return try remove(in: arguments[1]) }
        guard arguments.count == 4, let commits = Int(arguments[2]), let seed = UInt64(arguments[3]) else { exit(2) }
        let store = try CenterStore(folder: arguments[1])
        var steps = CenterSteps(seed: seed)
        _ = try store.commit(CenterSteps.beginning, at: steps.now)
        say("began")
        for commit in 0..<commits {
            // With its number, so that the file tells which batches it has.
            let work = steps.batch() + [.setFact("batch", Array("\(commit)".utf8))]
            do throws(DatabaseFailure) {
                steps.note(try store.commit(work, at: steps.now))
                say("committed \(commit)")
            } catch {
                say("refused \(commit) \(error)")
                let answer = Result { () throws(DatabaseFailure) in try store.maintain(at: steps.now) }
                say("maintained \(answer)")
            }
        }
        try store.close()
        say("closed")
    }

    private static func remove(in folder: String) throws {
        let store = try CenterStore(folder: folder)
        guard let owner = OwnerName("me"), let key = InstallationKey(owner: owner, app: "com.example.chat") else {
            exit(2)
        }
        say("began")
        _ = try store.commit([.removeInstallation(key)], at: 0)
        say("removed")
        try store.close()
        say("closed")
    }

    /// At once: the process may be killed any time.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
