// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import NotificationPayload

/// The sealed keys of a store's apps and the proof of its store key, held against a key that somebody names.
///
/// The keys tell as much as the proof: a store key that opens one of them is the right one, and what it does not open
/// then is damaged.
struct AppKeys {
    /// Topics that an error names.
    private static let namesAtMost = 3

    private struct Entry {
        let installation: Int64
        let topic: String
        let sealed: [UInt8]
    }

    /// `nil` means that there is none.
    private let proof: [UInt8]?
    private let entries: [Entry]
    /// The topics of apps that have sealed texts and no key.
    private let keyless: [String]

    /// Reads the first columns of queries; `texts` asks the database for them.
    init<Failure: Error>(_ texts: (String) throws(Failure) -> [String]) throws(Failure) {
        proof = try texts("SELECT hex(value) FROM facts WHERE name = '\(Fact.seal)'").first
            .map { Hexadecimal.decode($0.utf8) ?? [] }
        entries = try texts(
            """
            SELECT installation.id || ' ' || hex(data_key) || ' ' || topic FROM installation JOIN app ON app.id = app
            WHERE data_key IS NOT NULL ORDER BY installation.id
            """
        ).compactMap { text in
            let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let installation = Int64(parts[0]) else { return nil }
            let sealed = Hexadecimal.decode(parts[1].utf8) ?? []
            return Entry(installation: installation, topic: String(parts[2]), sealed: sealed)
        }
        // A store in which nothing was ever sealed has no text to look for.
        guard proof != nil || !entries.isEmpty else {
            keyless = []
            return
        }
        var found: [String] = []
        for query in Self.keylessQueries {
            for topic in try texts(query) where !found.contains(topic) { found.append(topic) }
        }
        keyless = found
    }

    private static let keylessQueries: [String] = {
        let those = "installation IN (SELECT id FROM installation WHERE data_key IS NULL)"
        let rows =
            ["head", "history", "waiting", "pending", "response"].map {
                "SELECT installation FROM \($0) JOIN content ON content.id = body WHERE \(those) AND sealed IS NOT NULL"
            } + [
                "SELECT installation FROM response WHERE \(those) AND sealed_text IS NOT NULL",
                "SELECT installation FROM silent WHERE \(those) AND sealed_payload IS NOT NULL",
            ]
        return rows.map {
            "SELECT DISTINCT topic FROM installation JOIN app ON app.id = app WHERE installation.id IN (\($0))"
        }
    }()

    /// True if something tells that texts were sealed.
    var isSealed: Bool { proof != nil || !entries.isEmpty }

    /// True if the store has a proof that the key opens.
    func hasProof(of key: StoreKey) -> Bool { proof.map { StoreSeal(key).proves($0) } ?? false }

    /// True if the key is not known to be another one than that under which the store was sealed.
    func fits(_ key: StoreKey) -> Bool {
        guard isSealed, !hasProof(of: key) else { return true }
        return entries.contains { Self.opens($0, key) }
    }

    /// The topics of apps whose texts nobody can open, because their keys are damaged or lost, in no order that counts.
    func lost(under key: StoreKey) -> [String] {
        let damaged = entries.filter { !Self.opens($0, key) }.map(\.topic)
        return damaged + keyless.filter { !damaged.contains($0) }
    }

    /// Refuses a store some of whose apps have no key that can be opened, which a start would seal anew under others.
    func refuseLost(under key: StoreKey, path: String) throws(StoreError) {
        let topics = lost(under: key)
        guard let first = topics.first else { return }
        let names = topics.prefix(Self.namesAtMost).map { "\"\($0)\"" }.joined(separator: ", ")
        let more = topics.count > Self.namesAtMost ? " and \(topics.count - Self.namesAtMost) more" : ""
        let what = topics.count == 1 ? "it" : "them"
        let whose = topics.count == 1 ? "the key of app \"\(first)\" is" : "the keys of apps \(names)\(more) are"
        throw StoreError(
            .corrupt,
            "\(whose) damaged in \"\(path)\": nobody can open what was sealed under \(what)",
            hint:
                "put the database of an earlier day there; or \"notification-center repair\" with the same --store-key "
                + "makes a new one without those texts, and keeps this one"
        )
    }

    private static func opens(_ entry: Entry, _ key: StoreKey) -> Bool {
        Seal.key.open(entry.sealed, of: entry.installation, under: key.secret)?.count == StoreKey.byteCount
    }
}
