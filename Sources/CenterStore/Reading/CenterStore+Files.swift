// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile

extension CenterStore {
    /// Returns the attachments of a notification that is in the list or in the history; `nil` means that it is in neither.
    package func attachments(
        of number: Int64,
        owner: OwnerName
    ) throws(DatabaseFailure) -> [ContentAttachment]? {
        try read { reading in
            guard let id = try reading.id(owner) else { return nil }
            for table in ["head", "history"] {
                let found = try reading.statement(
                    "SELECT plain FROM \(table) JOIN content ON id = body WHERE owner = ?1 AND number = ?2"
                ).bind(id, number).first { row in reading.content(row, 0)?.attachments ?? [] }
                if let found { return found }
            }
            return nil
        }
    }
}
