// SPDX-License-Identifier: Apache-2.0

/// Puts the pieces of a registry together, in their order, and counts the files that come before its end.
struct RegistryAssembly: Sendable {
    private var next: UInt64 = 0
    private var whole = LinkRegistry()
    private var names: Set<String> = []
    private var topics: Set<String> = []
    private var files: Set<AppFile> = []

    /// Takes the next piece and returns the registry that it completes; `nil` means that more pieces come.
    mutating func take(_ piece: Piece<LinkRegistry>) throws(LinkViolation) -> LinkRegistry? {
        guard piece.number == next else { throw .pieceOutOfOrder(.apps, piece.number) }
        let ownerCount = whole.owners.count + piece.content.owners.count
        guard ownerCount <= CenterOwner.limit else { throw .tooManyOwners(ownerCount) }
        let appCount = whole.apps.count + piece.content.apps.count
        guard appCount <= CenterApp.limit else { throw .tooManyApps(appCount) }
        for owner in piece.content.owners {
            guard names.insert(owner.name).inserted else { throw .repeatedOwner }
        }
        for app in piece.content.apps {
            guard topics.insert(app.topic).inserted else { throw .repeatedApp(app.topic) }
        }
        next += 1
        whole.owners += piece.content.owners
        whole.apps += piece.content.apps
        guard piece.isLast else { return nil }
        defer { self = RegistryAssembly() }
        return whole
    }

    /// Takes a file of the list that is under way, or of the next one.
    mutating func take(_ file: AppFile) throws(LinkViolation) {
        guard files.count < AppFile.limit else { throw .tooManyFiles(files.count + 1) }
        guard files.insert(file).inserted else { throw .repeatedFile(file.topic) }
    }
}

/// Follows the pieces of a list of gates: the first list names all of them, each later one all or changes.
struct GateOrder: Sendable {
    private var next: UInt64 = 0
    private var count = 0
    private var hasWhole = false
    /// The kind of the list under way; `nil` between two lists.
    private var isWhole: Bool?

    mutating func take(_ piece: Piece<GateList>) throws(LinkViolation) {
        guard piece.number == next else { throw .pieceOutOfOrder(.gates, piece.number) }
        guard piece.content.isWhole == isWhole ?? (piece.content.isWhole || !hasWhole) else { throw .gatesNotWhole }
        count += piece.content.count
        guard count <= GateList.limit else { throw .tooManyGates(count) }
        next += 1
        isWhole = piece.content.isWhole
        guard piece.isLast else { return }
        (next, count, isWhole) = (0, 0, nil)
        hasWhole = true
    }
}
