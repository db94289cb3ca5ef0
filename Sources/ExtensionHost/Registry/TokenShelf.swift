// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import HostRuntime
import NotificationPayload
import Store

/// The device tokens that commands change: those of a host's own registry, or those of a fleet.
protocol TokenShelf {
    /// True if a token that host.yaml names may be removed all the same, because no one host's file decides.
    var removesConfigured: Bool { get }
    /// Makes a token active.
    func add(_ token: RegisteredToken) throws(CommandError)
    /// Hands over all tokens, or those of one app, removed ones too.
    func forEach(of topic: String?, _ body: (RegisteredToken) -> Void) throws(CommandError)
    /// Returns the token of that text, or those whose SHA-256 begins with it; of several, two are enough.
    func find(_ text: String) throws(CommandError) -> [RegisteredToken]
    /// Removes a token; false if it was not active.
    func remove(_ token: String) throws(CommandError) -> Bool
}

/// The registry of a host that serves alone.
struct RegistryShelf: TokenShelf {
    let file: RegistryFile

    var removesConfigured: Bool { false }

    func add(_ token: RegisteredToken) throws(CommandError) {
        let known: RegisteredToken?
        do throws(StoreError) {
            known = try file.token(token.token, now: token.added)
        } catch {
            throw CommandError(error)
        }
        if let known, known.removed == nil, known.topic != token.topic {
            throw CommandError("the token belongs to \"\(known.topic)\"", hint: "remove it there first")
        }
        do throws(StoreError) { try file.add(token) } catch { throw CommandError(error) }
    }

    func forEach(of topic: String?, _ body: (RegisteredToken) -> Void) throws(CommandError) {
        do throws(StoreError) {
            for token in try file.tokens(of: topic, now: Date()) { body(token) }
        } catch {
            throw CommandError(error)
        }
    }

    func find(_ text: String) throws(CommandError) -> [RegisteredToken] {
        var found: [RegisteredToken] = []
        var named: RegisteredToken?
        try forEach(of: nil) { token in
            if token.token == text { named = token }
            if text.utf8.count >= 8, token.hash.hasPrefix(text) { found.append(token) }
        }
        return named.map { [$0] } ?? found
    }

    func remove(_ token: String) throws(CommandError) -> Bool {
        do throws(StoreError) { return try file.removeToken(token, at: Date()) } catch { throw CommandError(error) }
    }
}

/// The tokens of all hosts of a fleet.
struct FleetShelf: TokenShelf {
    private static let page: Int32 = 1000
    let database: FleetDatabase

    init(_ fleet: FleetConfiguration) throws(CommandError) {
        do throws(FleetError) { database = try FleetDatabase(fleet.database) } catch { throw CommandError(error) }
    }

    var removesConfigured: Bool { true }

    func add(_ token: RegisteredToken) throws(CommandError) {
        let offered = OfferedToken(
            token: token.token,
            topic: token.topic,
            environment: token.environment.rawValue,
            owner: token.owner
        )
        let verdict: TokenVerdict?
        do throws(FleetError) {
            verdict = try database.operations.addTokens([offered], origin: .minted).first
        } catch {
            throw CommandError(error)
        }
        guard verdict == .active else {
            throw CommandError("the token belongs to another app", hint: "remove it there first")
        }
    }

    func forEach(of topic: String?, _ body: (RegisteredToken) -> Void) throws(CommandError) {
        var last = ""
        while true {
            let tokens: [FleetToken]
            do throws(FleetError) {
                tokens = try database.operations.tokens(of: topic, after: last, limit: Self.page)
            } catch {
                throw CommandError(error)
            }
            for token in tokens { body(RegisteredToken(token)) }
            guard tokens.count == Int(Self.page), let end = tokens.last else { return }
            last = end.token
        }
    }

    func find(_ text: String) throws(CommandError) -> [RegisteredToken] {
        do throws(FleetError) {
            let found = try database.operations.findTokens(text, limit: 2)
            return found.first?.token == text ? [RegisteredToken(found[0])] : found.map { RegisteredToken($0) }
        } catch {
            throw CommandError(error)
        }
    }

    func remove(_ token: String) throws(CommandError) -> Bool {
        do throws(FleetError) { return try database.operations.removeToken(token) } catch { throw CommandError(error) }
    }
}

extension RegisteredToken {
    fileprivate init(_ token: FleetToken) {
        self.init(
            token: token.token,
            topic: token.topic,
            environment: PushEnvironment(rawValue: token.environment) ?? .production,
            origin: token.origin == .configured ? .configured : .minted,
            owner: token.owner,
            added: Date(timeIntervalSince1970: Double(token.added) / 1000),
            removed: token.removed.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        )
    }
}
