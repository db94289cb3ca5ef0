// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The version of the program, which the API tells.
enum CenterVersion {
    static let text = NESTBOX_VERSION
}
