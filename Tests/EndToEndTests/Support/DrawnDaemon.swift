// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// A notification daemon of Debian's, which draws popups on an X server.
enum DrawnDaemon: String {
    /// A daemon that draws at the top left, where a left click opens.
    case dunst
    /// A daemon that draws below the top right corner, where a click on a button chooses and one beside it puts away.
    case xfce = "xfce4-notifyd"
    /// Plasma's applet in a window of its own, with a field for a reply in the popup.
    case plasma = "plasmawindowed"

    /// The windows that it has without a popup.
    var windowCount: Int { self == .plasma ? 1 : 0 }

    /// The programs that are to be started, the daemon last; `nil` means that one is not installed.
    var programs: [String]? {
        switch self {
        case .dunst: Programs.installed("dunst").map { [$0] }
        case .xfce:
            Self.library("xfce4/xfconf/xfconfd").flatMap { settings in
                Self.library("xfce4/notifyd/xfce4-notifyd").map { [settings, $0] }
            }
        case .plasma: Programs.installed("plasmawindowed").map { [$0] }
        }
    }

    var isThere: Bool { programs != nil }

    /// A program in the folder of libraries of this machine's architecture.
    private static func library(_ path: String) -> String? {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/\(path)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
