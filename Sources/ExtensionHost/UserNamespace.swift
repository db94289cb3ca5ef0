// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which users of the machine this process can tell from each other; all the rest are one to it.
///
/// Source: user_namespaces(7), "User and group ID mappings".
struct UserNamespace {
    private let ranges: [Range<UInt64>]

    static var own: UserNamespace {
        UserNamespace(map: (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? "")
    }

    /// Lines of first id inside, first id outside and count.
    init(map: String) {
        ranges = map.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { UInt64($0) }
            return numbers.count == 3 ? numbers[0]..<(numbers[0] + numbers[2]) : nil
        }
    }

    func holds(_ user: UInt32) -> Bool { ranges.contains { $0.contains(UInt64(user)) } }
}
