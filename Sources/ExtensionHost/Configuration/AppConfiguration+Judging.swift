// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import HostRuntime
import NotificationPayload

// What no single key of an app can tell, and what only an app has behind its keys.
extension AppConfiguration {
    mutating func judge(_ app: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        var faults = ConfigurationFaults()
        if requiresSender, senders.isEmpty { faults.add(app.fault(\.requiresSender, "needs a list of senders")) }
        if !app.has(\.grace) { shortenGrace() }
        if grace >= budget {
            faults.add(app.fault(\.grace, "must be shorter than the budget of \(budget.amount)"))
        }
        if app.scope == .start {
            readBundleAndTexts(app, &faults)
            readContent(app, &faults)
        }
        try faults.check()
    }

    private mutating func readBundleAndTexts(_ app: ConfigurationSection<Self>, _ faults: inout ConfigurationFaults) {
        do throws(CommandError) {
            try readBundle()
            do throws(CommandError) {
                try readTexts(of: stringsFolder)
            } catch {
                let key: PartialKeyPath<Self> = stringsFolder == nil ? \.extensionPath : \.stringsFolder
                faults.add(app.fault(key, "is not usable: \(error.message)", hint: error.hint))
            }
        } catch {
            faults.add(app.fault(\.extensionPath, "is not usable: \(error.message)", hint: error.hint))
        }
    }

    private mutating func readBundle() throws(CommandError) {
        guard let extensionPath else { return }
        bundle = try ExtensionBundle(path: extensionPath, app: topic)
        try WritersOfBundle.own.check(extensionPath)
        let refusal = scriptRefusal(hint: Self.interpreterHint)
        if let refusal { throw refusal }
    }

    private mutating func readContent(_ app: ConfigurationSection<Self>, _ faults: inout ConfigurationFaults) {
        guard let contentPath else { return }
        do throws(CommandError) {
            let bundle = try ExtensionBundle(
                path: contentPath,
                app: topic,
                point: .content
            )
            try WritersOfBundle.own.check(contentPath)
            if let refusal = scriptRefusal(of: bundle, hint: Self.interpreterHint) ?? mixRefusal(of: bundle) {
                throw refusal
            }
            contentBundle = bundle
        } catch {
            faults.add(app.fault(\.contentPath, "is not usable: \(error.message)", hint: error.hint))
        }
    }

    /// An app has one interpreter, which runs whatever its extensions' executables are.
    private func mixRefusal(of content: ExtensionBundle) -> CommandError? {
        guard let bundle, bundle.isScript != content.isScript else { return nil }
        return CommandError(
            "one of the app's two extensions is a script and the other a program",
            hint: "\"interpreter\" runs both: write both as scripts, or build both"
        )
    }

    private static let interpreterHint = "name the program that runs it: \"interpreter: /usr/bin/python3\""

    /// A script starts only through an interpreter that the operator names: it would otherwise choose for itself.
    func scriptRefusal(hint: String) -> CommandError? {
        bundles.lazy.compactMap { scriptRefusal(of: $0, hint: hint) }.first
    }

    private func scriptRefusal(of bundle: ExtensionBundle, hint: String) -> CommandError? {
        guard bundle.isScript, interpreter == nil else { return nil }
        return CommandError("\"\(bundle.executable)\" is a script, and a worker starts no interpreter", hint: hint)
    }

    /// Takes the texts of a folder, or without one those of the extension's bundle, in the app's language.
    mutating func readTexts(of folder: String?) throws(CommandError) {
        guard let place = folder ?? bundle?.path else { return }
        let tables = try StringTables(folder: place)
        if let folder, tables.isEmpty {
            throw CommandError(
                "\"\(folder)\" has no LANGUAGE.lproj/Localizable.strings",
                hint: "name the app's bundle, or the folder of its texts"
            )
        }
        texts = LocalizedTexts(try tables.texts(preferred: language, region: bundle?.developmentRegion))
    }

    /// The last call of a short budget comes at its half at the latest, where nobody says when.
    mutating func shortenGrace() {
        grace = min(AppConfiguration().grace, budget / 2)
    }

    /// Takes the environment of the listener, unless the app has one of its own.
    mutating func settle(_ environment: PushEnvironment) {
        self.environment = statedEnvironment ?? environment
    }
}

// MARK: kinds of values

extension ConfigurationType where Value == String {
    static var topic: Self {
        text.checked("text of 1 to 255 bytes") { topic, place throws(ConfigurationFaults) in
            guard (1...255).contains(topic.utf8.count) else { throw place.fault("must have 1 to 255 bytes") }
        }
    }
}

extension ConfigurationType where Value == UInt64 {
    /// The memory of a worker.
    static var memory: Self {
        byteCount.checked(byteCount.name) { count, place throws(ConfigurationFaults) in
            guard count <= 1 << 40 else { throw place.fault("is more than 1 TB") }
            guard count >= AppConfiguration.leastMemoryByteCount else {
                throw place.fault("is less than 1 MB", hint: "a worker needs that before its extension begins")
            }
        }
    }
}

extension ConfigurationType where Value == [String] {
    static var deviceTokens: Self {
        texts.map("list of tokens", text: \.listed) { tokens, place throws(ConfigurationFaults) in
            for token in tokens
            where !(2...200).contains(token.utf8.count) || Hexadecimal.decode(token) == nil {
                throw place.fault(
                    "holds a token that is not 2 to 200 hex digits",
                    hint: "write tokens in quotes: YAML reads bare digits as a number"
                )
            }
            return tokens.map { $0.lowercased() }
        }
    }
}

extension ConfigurationType where Value == [SealFormatName] {
    static var formats: Self {
        let known = SealFormatName.allCases.map(\.rawValue)
        return ConfigurationType<[String]>.texts.map(
            "list of " + known.map { "`\($0)`" }.joined(separator: ", "),
            text: { $0.map(\.rawValue).listed }
        ) { names, place throws(ConfigurationFaults) in
            var formats: [SealFormatName] = []
            for name in names {
                guard let format = SealFormatName(rawValue: name) else {
                    throw place.fault(
                        "names the unknown format \"\(name)\"",
                        hint: "known formats are \(known.joined(separator: ", "))"
                    )
                }
                formats.append(format)
            }
            guard !formats.isEmpty else {
                throw place.emptyListFault("names no format, so that nothing sealed could be opened")
            }
            return formats
        }
    }
}

extension ConfigurationType where Value == Set<PushType> {
    static var pushTypes: Self {
        let known = PushType.allCases
        return ConfigurationType<[String]>.texts.map(
            "list of " + known.map { "`\($0.rawValue)`" }.joined(separator: ", "),
            text: { types in known.filter(types.contains).map(\.rawValue).listed }
        ) { names, place throws(ConfigurationFaults) in
            var types: Set<PushType> = []
            for name in names {
                guard let type = PushType(rawValue: name) else {
                    throw place.fault("names the unknown type \"\(name)\"")
                }
                types.insert(type)
            }
            guard !types.isEmpty else {
                throw place.emptyListFault("names no type, so that no push could come")
            }
            return types
        }
    }
}

extension ConfigurationType where Value == [AppConfiguration.Sender] {
    static var senders: Self {
        mappings { _, place in "a sender of \(place.mapping)" }
    }
}
