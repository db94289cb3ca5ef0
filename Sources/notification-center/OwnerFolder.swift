// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import CenterProtocol
import CenterStore
import Foundation
import NIOHTTP1
import NotificationPayload
import PacketSockets

/// The owner for whom a command asks, and the centre that it asks.
struct OwnerFolder: ParsableArguments {
    @OptionGroup var folder: CenterFolder

    @Option(help: "The owner, as \"serve\" was told; without it the only one, \(CenterOwner.only).")
    var owner: OwnerName?

    /// The socket of the owner's API.
    var http: String { folder.httpToAsk(of: owner) }

    /// True if the centre that answers there is another user's, as one of the system's.
    var isAnothers: Bool { http != folder.http(of: owner ?? .only) }

    /// The next step where nobody answers at the socket.
    var hint: String {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.owners)) ?? []
        let others = names.filter { OwnerName($0) != nil && $0 != owner?.text }.sorted()
        let start = "start it: \(folder.start)" + (owner.map { " --owner \($0)" } ?? "")
        return others.isEmpty ? start : start + ", or name another owner: " + others.joined(separator: ", ")
    }
}

extension CenterClient {
    /// Asks the centre of an owner's folder.
    init(_ folder: OwnerFolder) {
        self.init(socket: folder.http, hint: folder.hint)
    }
}

extension CenterClient {
    /// Asks about a thing that a person has named; where there is none, the error says so, and which command lists
    /// them.
    func ask(
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONObject? = nil,
        about thing: String,
        listedBy command: String
    ) async throws -> JSONObject {
        do {
            return try await ask(method, target, body)
        } catch let failure as Failure where failure.reason == "notFound" {
            throw Failure("there is no \(thing)", hint: "\"notification-center \(command)\" shows what there is")
        }
    }
}

extension OwnerName: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }

    /// The owner of a centre for which nobody has named one.
    static var only: OwnerName {
        guard let only = OwnerName(CenterOwner.only) else { preconditionFailure("a constant is a name") }
        return only
    }
}

/// An owner as `serve` is told of it: a name, and after `=` the user of the system to whom the sockets belong.
struct ServedOwner: ExpressibleByArgument {
    let name: OwnerName
    /// `nil` means the user who runs the centre.
    let userName: String?

    init(_ name: OwnerName) {
        self.name = name
        userName = nil
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let name = OwnerName(parts[0]), parts.count == 1 || !parts[1].isEmpty else { return nil }
        self.name = name
        userName = parts.count == 1 ? nil : parts[1]
    }

    /// Finds the user in the system's list; only root can give sockets to another one.
    func user() throws(Failure) -> SocketUser {
        guard let userName else { return .own }
        guard let entry = getpwnam(userName) else {
            throw Failure(
                "there is no user \"\(userName)\", to whom owner \"\(name)\" is to belong",
                hint: "write --owner \(name)=USER with a user that \"getent passwd\" knows"
            )
        }
        let user = SocketUser(id: entry.pointee.pw_uid)
        guard user == .own || geteuid() == 0 else {
            throw Failure(
                "the sockets of owner \"\(name)\" cannot be given to user \"\(userName)\": only root can do so",
                hint: "start the centre as root, or write --owner \(name): the sockets are then your own"
            )
        }
        return user
    }
}
