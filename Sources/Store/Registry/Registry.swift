// SPDX-License-Identifier: Apache-2.0

private import Crypto
package import DatabaseFile
package import HostRuntime
private import Locking
package import Logging
private import NotificationPayload

package import struct Foundation.Date

/// The device tokens and subscriptions of a running host: its configuration and its registry in one.
///
/// Answers from memory. What is not there is looked for in the file before anybody hears that it does not exist, so a
/// token that a command has just minted is taken at once; what a command has removed is noticed within a second, by
/// `run`. While the file cannot be read, known tokens stay good and every other question is `DeviceTokensUnavailable`,
/// as is at any time one about an app that was registered after the start, which does not run yet.
package final class Registry: Sendable {
    private struct Files {
        let main: RegistryFile
        /// For single tokens, on any thread; never waits.
        let lookup: RegistryFile
    }

    private struct State {
        var files: Files?
        var contents = RegistryContents()
        /// The contents are those of the file, up to a second ago.
        var isReadable = true

        var readable: Files? { isReadable ? files : nil }
    }

    private let folder: String
    private let apps: [HostedTokens]
    /// Topics and their suffixes: what runs cannot change while the host does.
    private let table: DeviceTokenTable
    private let pushTypes: [String: Set<PushType>]
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Locked(State())
    /// Whatever may wait for a disk.
    private let work = SerialWork(name: "registry")

    /// The number of tokens and subscriptions that were removed because the configuration has them no more.
    package let removedCount: Int
    /// The owners who have the own folders and keychains of apps with an extension, by topic; the same for good.
    package let firstOwners: [String: String]

    /// Opens the registry in a state folder for a host that runs these apps, and brings it in line with them.
    ///
    /// - Throws: what `RegistryFile` does; a host does not start without knowing who may be reached.
    package init(
        folder: String,
        apps: [HostedTokens],
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) throws(StoreError) {
        self.folder = folder
        self.apps = apps
        self.now = now
        self.logger = logger
        var table = DeviceTokenTable()
        for app in apps { table.register(app.registration, tokens: []) }
        self.table = table
        pushTypes = apps.reduce(into: [:]) { $0[$1.registration.topic] = $1.registration.pushTypes }
        let files = try Self.open(folder)
        removedCount = try files.main.host(apps, at: now())
        firstOwners = try files.main.read { try FirstOwner.all($0) }
        let contents = try Self.contents(of: files.main, pushTypes, now())
        state.withLock { state in
            state.files = files
            state.contents = contents
        }
    }

    /// Looks every second whether somebody has changed the file, until the task is cancelled.
    package func run(clock: HostClock) async {
        while (try? await clock.sleep(until: clock.now + .seconds(1))) != nil {
            await work.result { self.refresh() }
        }
    }

    /// Removes a token whose target is gone for good; what it is known as then is on the disk.
    ///
    /// Returns false if it was not active.
    package func removeToken(_ token: String) async throws(StoreError) -> Bool {
        let isSubscription = state.withLock { $0.contents.subscriptions[token] != nil }
        return try await change { file, now throws(StoreError) in
            try isSubscription ? file.removeSubscription(token, at: now) : file.removeToken(token, at: now)
        }
    }

    /// Changes the file and reads it again, on a thread that may wait for a disk.
    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (RegistryFile, Date) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result = await work.result {
            Result { () throws(StoreError) in
                guard let files = self.state.withLock({ $0.files }) else {
                    throw StoreError(.unusable, "the registry in \"\(self.folder)\" is not readable")
                }
                defer { self.read(files) }
                return try body(files.main, self.now())
            }
        }
        return try result.get()
    }
}

extension Registry: TokenIssuer {
    /// Bytes of a device token, as many as one of Apple's has.
    private static let tokenByteCount = 32

    package func register(_ topic: String, for owner: String) async throws(TokenRefusal) -> String {
        guard let app = table.app(forTopic: topic), app.topic == topic else { throw .unknownApp }
        let registration = AppRegistration(topic: topic, owner: owner)
        // An app asks at each start, and mostly has its token.
        let known = state.withLock { $0.readable?.lookup }.flatMap { file in
            try? file.read { try registration.token(in: app.environment, $0) }
        }
        if let known { return known }
        let token = SymmetricKey(size: SymmetricKeySize(bitCount: Self.tokenByteCount * 8))
            .withUnsafeBytes { Hexadecimal.encode($0) }
        return try await issue { file, now throws(StoreError) in
            let new = RegisteredToken(
                token: token,
                topic: topic,
                environment: app.environment,
                origin: .minted,
                owner: owner,
                added: now
            )
            return try file.write { try registration.register(new, $0) }
        }
    }

    package func withdraw(_ topic: String, of owner: String) async throws(TokenRefusal) {
        let registration = AppRegistration(topic: topic, owner: owner)
        try await issue { file, now throws(StoreError) in try file.write { try registration.withdraw(at: now, $0) } }
    }

    private func issue<Value: Sendable>(
        _ body: @escaping @Sendable (RegistryFile, Date) throws(StoreError) -> Value
    ) async throws(TokenRefusal) -> Value {
        do throws(StoreError) { return try await change(body) } catch {
            logger.error("device token not registered or withdrawn", metadata: ["error": "\(error.message)"])
            throw .disk
        }
    }
}

extension Registry: GateShelf {
    package func shutGates(of reader: String) -> Set<OwnedApp> {
        guard let file = state.withLock({ $0.files })?.main else { return [] }
        do throws(StoreError) { return try file.read { try ReaderGates(reader: reader).apps($0) } } catch {
            logger.error("alerts that are off not read", metadata: ["error": "\(error.message)"])
            return []
        }
    }

    package func keep(_ shut: Set<OwnedApp>, of reader: String) async {
        do throws(StoreError) {
            try await change { file, _ throws(StoreError) in
                try file.write { try ReaderGates(reader: reader).replace(by: shut, $0) }
            }
        } catch {
            logger.error("alerts that are off not kept", metadata: ["error": "\(error.message)"])
        }
    }
}

// MARK: The file

extension Registry {
    private static func open(_ folder: String) throws(StoreError) -> Files {
        let files = Files(main: try RegistryFile(folder: folder), lookup: try RegistryFile(folder: folder))
        try files.lookup.loseAllPatience()
        return files
    }

    private static func contents(
        of file: RegistryFile,
        _ pushTypes: [String: Set<PushType>],
        _ now: Date
    ) throws(StoreError) -> RegistryContents {
        try RegistryContents(of: file, now: now) { registration($0, pushTypes) }
    }

    /// Makes the registration of a token.
    ///
    /// An app that does not run has every push type, so that whoever sends to its removed tokens hears of the removal,
    /// and not that the topic is bad.
    private static func registration(
        _ token: RegisteredToken,
        _ pushTypes: [String: Set<PushType>]
    ) -> DeviceTokenTable.Registration {
        .init(
            topic: token.topic,
            environment: token.environment,
            pushTypes: pushTypes[token.topic] ?? Set(PushType.allCases),
            owner: token.owner
        )
    }

    /// Reads the file again if it has changed or could not be read before; one call at a time.
    func refresh() {
        let (files, version, isReadable) = state.withLock { ($0.files, $0.contents.version, $0.isReadable) }
        do throws(StoreError) {
            guard let files, try FileIdentity(path: files.main.path) == files.main.identity else {
                return try reopen()
            }
            guard try files.main.dataVersion() != version || !isReadable else { return }
            read(files)
        } catch {
            fail(error)
        }
    }

    /// Takes the file that has the name now, if there is one: a copy that somebody put back.
    private func reopen() throws(StoreError) {
        state.withLock { state in
            state.files = nil
            state.isReadable = false
        }
        _ = try FileIdentity(path: folder + "/" + RegistryFile.name)
        let files = try Self.open(folder)
        _ = try files.main.host(apps, at: now())
        state.withLock { $0.files = files }
        read(files)
    }

    private func read(_ files: Files) {
        do throws(StoreError) {
            let contents = try Self.contents(of: files.main, pushTypes, now())
            let wasReadable = state.withLock { state in
                defer { state.isReadable = true }
                state.contents = contents
                return state.isReadable
            }
            if !wasReadable { logger.info("the registry is readable again") }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: StoreError) {
        let wasReadable = state.withLock { state in
            defer { state.isReadable = false }
            return state.isReadable
        }
        guard wasReadable else { return }
        logger.error("the registry is not readable: senders hear 503", metadata: ["error": "\(error.message)"])
    }

    /// Looks in the file for an entry that is not in memory; `nil` means that the file does not have it either.
    private func look<Found>(
        in files: Files?,
        _ question: (RegistryFile) throws(StoreError) -> Found?
    ) throws(DeviceTokensUnavailable) -> Found? {
        guard let file = files?.lookup, (try? FileIdentity(path: file.path)) == file.identity else {
            throw DeviceTokensUnavailable()
        }
        do throws(StoreError) {
            return try question(file)
        } catch {
            throw DeviceTokensUnavailable()
        }
    }
}

// MARK: Answers

extension Registry: DeviceTokens {
    package func state(of token: String) throws(DeviceTokensUnavailable) -> DeviceTokenState? {
        let known = state.withLock { $0.contents.tokens[token] }
        let found: DeviceTokenState?
        switch known {
        case .active?: found = known
        case .removed?, .judgedByStore?, nil:
            // What was removed may be registered anew since the last look.
            found = try look(in: state.withLock { $0.readable }) { file throws(StoreError) in
                try file.token(token, now: now())
            }
            .map { DeviceTokenState($0) { Self.registration($0, pushTypes) } }
        }
        if case .active(let app)? = found { try checkRuns(app.topic) }
        return found
    }

    package func app(forTopic topic: String) -> DeviceTokenTable.Registration? {
        table.app(forTopic: topic)
    }

    /// The first token that the configuration gives an app, or the oldest that is active; nil: it has none.
    package func firstToken(of topic: String) -> String? {
        apps.first { $0.registration.topic == topic }?.tokens.first
            ?? state.withLock { $0.contents.firstTokens[topic] }
    }

    /// An app that was registered after the start is not run yet: its senders come again.
    private func checkRuns(_ topic: String) throws(DeviceTokensUnavailable) {
        guard pushTypes[topic] != nil else { throw DeviceTokensUnavailable() }
    }
}

extension Registry: WebPushSubscriptions {
    package func state(ofSubscription token: String) throws(DeviceTokensUnavailable) -> WebPushSubscriptionState? {
        let (found, readable) = state.withLock { ($0.contents.subscriptions[token], $0.readable) }
        if let found, found.removed == nil { return try active(found) }
        return try look(in: readable) { file throws(StoreError) in try file.subscription(token, now: now()) }
            .map { found throws(DeviceTokensUnavailable) in try found.removed == nil ? active(found) : .removed }
    }

    private func active(_ found: RegisteredSubscription) throws(DeviceTokensUnavailable) -> WebPushSubscriptionState {
        try checkRuns(found.subscription.topic)
        return .active(found.subscription)
    }
}
