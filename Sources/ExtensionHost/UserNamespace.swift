// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The users of the machine that this process can tell from each other; all the rest are one to it.
///
/// Source: user_namespaces(7), "User and group ID mappings".
struct UserNamespace {
    private let ranges: [Range<UInt64>]
    /// The machine's root is among them, by whatever id; not so in a namespace that a plain user has made.
    let holdsRoot: Bool

    static var own: UserNamespace {
        UserNamespace(map: (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? "")
    }

    /// Lines of first id inside, first id outside and count.
    init(map: String) {
        let lines = map.split(separator: "\n").map { $0.split(separator: " ").compactMap { UInt64($0) } }
            .filter { $0.count == 3 }
        ranges = lines.map { $0[0]..<($0[0] + $0[2]) }
        holdsRoot = lines.contains { $0[1] == 0 && $0[2] > 0 }
    }

    func holds(_ user: UInt32) -> Bool { ranges.contains { $0.contains(UInt64(user)) } }
}
