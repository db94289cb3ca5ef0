// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// A class whose instances a suite's name makes.
public protocol SuiteNamed {}

extension UserDefaults: SuiteNamed {}

extension SuiteNamed where Self: UserDefaults {
    /// The preferences of a suite, by name.
    ///
    /// Foundation on Linux writes preferences only when it is told to, beside the other files of the home folder, and a
    /// process that is ended before loses them. In a worker what comes from here writes every change at once, and reads
    /// what another process of the app wrote: a group of `AppGroups` in that group's folder, any other name below the
    /// home folder. Elsewhere it is Foundation's own.
    public init?(suiteName: String) {
        guard let file = PreferencesFile(suiteName: suiteName) else {
            guard let defaults = UserDefaults(suiteName: Optional(suiteName)) as? Self else { return nil }
            self = defaults
            return
        }
        guard let defaults = SuiteDefaults(file) as? Self else { return nil }
        self = defaults
    }
}

/// Preferences in a file of their own; see `init(suiteName:)`.
final class SuiteDefaults: UserDefaults {
    private let file: PreferencesFile

    init?(_ file: PreferencesFile) {
        self.file = file
        // Foundation's part stays empty: everything that reads or writes is overridden below.
        super.init(suiteName: nil)
    }

    private func value<Value>(_ key: String, as type: Value.Type = Value.self) -> Value? {
        object(forKey: key) as? Value
    }

    override func object(forKey defaultName: String) -> Any? { file.value(forKey: defaultName) }

    override func set(_ value: Any?, forKey defaultName: String) {
        file.set(value.flatMap(Self.propertyList), forKey: defaultName)
    }

    override func removeObject(forKey defaultName: String) { file.set(nil, forKey: defaultName) }

    override func register(defaults registrationDictionary: [String: Any]) {
        file.register(registrationDictionary.compactMapValues(Self.propertyList))
    }

    override func dictionaryRepresentation() -> [String: Any] { file.all }

    override func synchronize() -> Bool { true }

    // MARK: Reading by type

    override func string(forKey defaultName: String) -> String? {
        value(defaultName) ?? (value(defaultName, as: NSNumber.self)?.stringValue)
    }
    override func array(forKey defaultName: String) -> [Any]? { value(defaultName) }
    override func dictionary(forKey defaultName: String) -> [String: Any]? { value(defaultName) }
    override func data(forKey defaultName: String) -> Data? { value(defaultName) }
    override func stringArray(forKey defaultName: String) -> [String]? { value(defaultName) }
    override func integer(forKey defaultName: String) -> Int {
        value(defaultName, as: NSNumber.self)?.intValue ?? string(forKey: defaultName).flatMap { Int($0) } ?? 0
    }
    override func float(forKey defaultName: String) -> Float {
        value(defaultName, as: NSNumber.self)?.floatValue ?? string(forKey: defaultName).flatMap { Float($0) } ?? 0
    }
    override func double(forKey defaultName: String) -> Double {
        value(defaultName, as: NSNumber.self)?.doubleValue ?? string(forKey: defaultName).flatMap { Double($0) } ?? 0
    }
    override func bool(forKey defaultName: String) -> Bool {
        value(defaultName, as: NSNumber.self)?.boolValue ?? value(defaultName, as: NSString.self)?.boolValue ?? false
    }
    override func url(forKey defaultName: String) -> URL? {
        guard let text: String = value(defaultName) else { return nil }
        return text.hasPrefix("/") ? URL(fileURLWithPath: text) : URL(string: text)
    }

    // MARK: Writing by type

    override func set(_ value: Int, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ value: Float, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ value: Double, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ value: Bool, forKey defaultName: String) { set(value as Any?, forKey: defaultName) }
    override func set(_ url: URL?, forKey defaultName: String) {
        set(url.map { $0.isFileURL ? $0.path : $0.absoluteString }, forKey: defaultName)
    }

    /// Apple raises an exception for what is no property list; here the value is left out, with a warning.
    private static func propertyList(_ value: Any) -> Any? {
        if let url = value as? URL { return url.isFileURL ? url.path : url.absoluteString }
        guard PropertyListSerialization.propertyList(value, isValidFor: .binary) else {
            HostLog.warnOnce("preferences hold property lists only, and no \(type(of: value)): left out")
            return nil
        }
        return value
    }
}
