// SPDX-License-Identifier: Apache-2.0

/// The columns of an owner's row that commits change, in memory until a commit ends.
struct OwnerValues: Equatable {
    var next: Int64 = 1
    var floor: Int64 = 0
    var seen: Int64 = 0
    var preferences = OwnerPreferences()
    var changed: Int64 = 0
    /// Rows of the owner in `head`, `history` and `gone`.
    var stored: Int64 = 0
    var past: Int64 = 0
    var tombstones: Int64 = 0
    /// Contents of `head` and `history`, in bytes.
    var bytes: Int64 = 0
}

/// One owner, with the values on the disk and those of the transaction that is open.
final class OwnerAccount {
    let id: Int64
    let name: OwnerName
    fileprivate(set) var saved: OwnerValues
    fileprivate(set) var values: OwnerValues
    fileprivate(set) var isOpen = false
    /// No notification is due to age, and no tombstone to be forgotten, before these instants; `nil` means unknown.
    var agesNext: WallTime?
    var forgetsNext: WallTime?

    init(id: Int64, name: OwnerName, values: OwnerValues) {
        self.id = id
        self.name = name
        saved = values
        self.values = values
    }
}

/// The columns of an installation's row that commits change, in memory until a commit ends.
struct InstallationValues: Equatable {
    var permission = Permission()
    var badge = 0
    var changed: Int64 = 0
    /// Rows of the installation in `head`, and the length of their contents in bytes.
    var stored: Int64 = 0
    var bytes: Int64 = 0
}

/// One installation, with the values on the disk and those of the transaction that is open.
final class InstallationAccount {
    let id: Int64
    let key: InstallationKey
    let owner: OwnerAccount
    fileprivate(set) var saved: InstallationValues
    fileprivate(set) var values: InstallationValues
    fileprivate(set) var isOpen = false

    init(id: Int64, key: InstallationKey, owner: OwnerAccount, values: InstallationValues) {
        self.id = id
        self.key = key
        self.owner = owner
        saved = values
        self.values = values
    }
}

/// The accounts that are in memory: every owner, and the installations that were asked for of late.
struct Accounts {
    /// Installations beyond this number are let go of between two transactions.
    private static let installationsAtMost = 100_000

    private(set) var owners: [OwnerName: OwnerAccount] = [:]
    private(set) var ownersByID: [Int64: OwnerAccount] = [:]
    private(set) var installations: [InstallationKey: InstallationAccount] = [:]
    private(set) var installationsByID: [Int64: InstallationAccount] = [:]
    /// The accounts that the open transaction has changed.
    private(set) var openOwners: [OwnerAccount] = []
    private(set) var openInstallations: [InstallationAccount] = []
    private var newOwners: [OwnerAccount] = []

    mutating func insert(_ owner: OwnerAccount, isNew: Bool) {
        owners[owner.name] = owner
        ownersByID[owner.id] = owner
        if isNew { newOwners.append(owner) }
    }

    mutating func insert(_ installation: InstallationAccount) {
        installations[installation.key] = installation
        installationsByID[installation.id] = installation
    }

    mutating func remove(_ installation: InstallationAccount) {
        installations[installation.key] = nil
        installationsByID[installation.id] = nil
        openInstallations.removeAll { $0 === installation }
    }

    mutating func change<Result>(_ owner: OwnerAccount, _ body: (inout OwnerValues) -> Result) -> Result {
        if !owner.isOpen {
            owner.isOpen = true
            openOwners.append(owner)
        }
        return body(&owner.values)
    }

    mutating func change<Result>(
        _ installation: InstallationAccount,
        _ body: (inout InstallationValues) -> Result
    ) -> Result {
        if !installation.isOpen {
            installation.isOpen = true
            openInstallations.append(installation)
        }
        return body(&installation.values)
    }

    /// The transaction is on the disk.
    mutating func committed() {
        for owner in openOwners {
            owner.saved = owner.values
            owner.isOpen = false
        }
        for installation in openInstallations {
            installation.saved = installation.values
            installation.isOpen = false
        }
        close()
        guard installations.count > Self.installationsAtMost else { return }
        installations = [:]
        installationsByID = [:]
    }

    /// The transaction has not happened.
    ///
    /// Installations are read again when they are asked for, because the transaction may have made and removed some.
    mutating func rolledBack() {
        for owner in newOwners {
            owners[owner.name] = nil
            ownersByID[owner.id] = nil
        }
        for owner in openOwners {
            owner.values = owner.saved
            owner.isOpen = false
            owner.agesNext = nil
            owner.forgetsNext = nil
        }
        installations = [:]
        installationsByID = [:]
        close()
    }

    private mutating func close() {
        openOwners.removeAll(keepingCapacity: true)
        openInstallations.removeAll(keepingCapacity: true)
        newOwners = []
    }
}
