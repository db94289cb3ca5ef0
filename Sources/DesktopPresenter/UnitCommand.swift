// SPDX-License-Identifier: Apache-2.0

/// The command by which systemd-run starts a program as a unit of its own.
///
/// Source: systemd-run(1) and systemd.service(5) of systemd 252, "Command lines".
package enum UnitCommand {
    /// The words of the command; `names` are the variables of its own environment that the unit is to have.
    package static func words(
        of manager: String,
        _ path: String,
        _ arguments: [String],
        handing names: [String]
    ) -> [String] {
        // A program that forks and exits has done its work, and what it has started is to go on.
        let options = ["--user", "--quiet", "--collect", "--wait", "--property=KillMode=process"]
        // The manager puts variables into arguments, and takes the path as it stands.
        let escaped = arguments.map { $0.replacing("$", with: "$$") }
        return [manager] + options + names.map { "--setenv=\($0)" } + ["--", path] + escaped
    }
}
