// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

// Values by the name of their key, where Objective-C would find them at run time: for preferences and dictionaries.
// Other objects have no such names here, and the compiler says so.

extension UserDefaults {
    /// The value of a key, as `object(forKey:)`.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// Sets the value of a key, as `set(_:forKey:)`; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

extension NSDictionary {
    /// The value at the end of keys that points separate, each in a dictionary of its own; nil where one is missing.
    ///
    /// Apple's also asks the elements of an array and computes `@count` and the like: here both are nil, and named in
    /// the log.
    public func value(forKeyPath keyPath: String) -> Any? {
        var value: Any? = self
        for key in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            guard let object = value else { return nil }
            guard let dictionary = object as? NSDictionary, !key.hasPrefix("@") else {
                HostLog.warnOnce("a key path leads through dictionaries alone here: value(forKeyPath:) is nil")
                return nil
            }
            value = dictionary.object(forKey: String(key))
        }
        return value
    }
}
