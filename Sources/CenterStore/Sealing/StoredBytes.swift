// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// Texts of a store as they lie in its tables: open, or sealed under the key of their installation.
struct StoredBytes {
    /// The columns of a content, in the order in which `content` reads them.
    static let names = "plain, key, sealed"

    /// `nil` means that the store has no key: it seals nothing, and what is sealed is damaged to it.
    let seal: StoreSeal?

    // MARK: - Reading

    /// The bytes of a content, whose columns begin at an index; `nil` means that they are damaged.
    func content(
        _ row: borrowing HotRow,
        _ index: CInt,
        _ statement: StoreSeal.Statements
    ) throws -> [UInt8]? {
        guard row.isNull(index) else { return row.blob(index) }
        return try seal?.open(row.blob(index + 2), as: .content, of: row.integer(index + 1), statement)
    }

    /// True if the bytes of a content begin with others.
    func content(
        _ row: borrowing HotRow,
        _ index: CInt,
        beginsWith opening: [UInt8],
        _ statement: StoreSeal.Statements
    ) throws -> Bool {
        guard row.isNull(index) else { return row.bytes(index) { $0.starts(with: opening) } }
        return try content(row, index, statement)?.starts(with: opening) ?? false
    }

    /// The text of a response, whose columns `text` and `sealed_text` begin at an index; `nil` means that it has none,
    /// or a damaged one.
    func text(
        _ row: borrowing HotRow,
        _ index: CInt,
        of installation: Int64,
        _ statement: StoreSeal.Statements
    ) throws -> String? {
        if !row.isNull(index) { return row.text(index) }
        guard !row.isNull(index + 1) else { return nil }
        let bytes = try seal?.open(row.blob(index + 1), as: .text, of: installation, statement)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A silent push, whose columns `payload` and `sealed_payload` begin at an index; `nil` means that it is damaged.
    func silent(
        _ row: borrowing HotRow,
        _ index: CInt,
        of installation: Int64,
        _ statement: StoreSeal.Statements
    ) throws -> [UInt8]? {
        guard !row.isNull(index + 1) else { return row.blob(index) }
        return try seal?.open(row.blob(index + 1), as: .silent, of: installation, statement)
    }

    // MARK: - Writing

    /// The two columns of a text: the open one and the sealed one, of which one has it.
    func columns(
        _ bytes: [UInt8],
        as kind: Seal,
        of installation: Int64,
        _ statement: StoreSeal.Statements
    ) throws -> (plain: [UInt8]?, sealed: [UInt8]?) {
        guard let seal else { return (bytes, nil) }
        return (nil, try seal.seal(bytes, as: kind, of: installation, statement))
    }
}
