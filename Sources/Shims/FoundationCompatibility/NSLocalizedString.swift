// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Foundation's own function has a default for each argument but key and comment. The compiler prefers these, which have
// none, and they know the language of whom a view is shown to. A call with all arguments is Foundation's.

/// The text of a key in the main bundle's `Localizable` table, in the person's language; the key where there is none.
///
/// Source: Apple, "NSLocalizedString".
public func NSLocalizedString(_ key: String, comment: String) -> String {
    PersonLanguage.text(key, value: nil, table: nil, in: .main)
}

/// The text of a key in a table of the main bundle, in the person's language; the key where there is none.
public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
    PersonLanguage.text(key, value: nil, table: tableName, in: .main)
}

/// The text of a key in a bundle's `Localizable` table, in the person's language; the key where there is none.
public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
    PersonLanguage.text(key, value: nil, table: nil, in: bundle)
}

/// The text of a key in the main bundle's `Localizable` table, in the person's language; the value where there is none.
public func NSLocalizedString(_ key: String, value: String, comment: String) -> String {
    PersonLanguage.text(key, value: value, table: nil, in: .main)
}

/// The text of a key in a table of a bundle, in the person's language; the key where there is none.
public func NSLocalizedString(_ key: String, tableName: String?, bundle: Bundle, comment: String) -> String {
    PersonLanguage.text(key, value: nil, table: tableName, in: bundle)
}

/// The text of a key in a table of the main bundle, in the person's language; the value where there is none.
public func NSLocalizedString(_ key: String, tableName: String?, value: String, comment: String) -> String {
    PersonLanguage.text(key, value: value, table: tableName, in: .main)
}

/// The text of a key in a bundle's `Localizable` table, in the person's language; the value where there is none.
public func NSLocalizedString(_ key: String, bundle: Bundle, value: String, comment: String) -> String {
    PersonLanguage.text(key, value: value, table: nil, in: bundle)
}
