// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

extension Row {
    /// The bytes of a BLOB that is not null.
    func bytes(_ index: Int) -> [UInt8] { [UInt8](self[index] as Data) }
}
