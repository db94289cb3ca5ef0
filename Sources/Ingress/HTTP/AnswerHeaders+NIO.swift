// SPDX-License-Identifier: Apache-2.0

internal import NIOHPACK
internal import NIOHTTP1

extension HTTPHeaders: AnswerHeaders {
    mutating func add(_ name: String, _ value: String) {
        add(name: name, value: value)
    }
}

extension HPACKHeaders: AnswerHeaders {
    /// Values that differ from answer to answer would only push others out of the peer's table.
    mutating func add(_ name: String, _ value: String) {
        add(name: name, value: value, indexing: .nonIndexable)
    }
}
