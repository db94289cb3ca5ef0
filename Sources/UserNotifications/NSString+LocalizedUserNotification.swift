// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NotificationPayload

extension NSString {
    /// Returns the text of a key in `Localizable.strings` of the main bundle, with the arguments in their places.
    ///
    /// Apple looks it up when the notification is shown, in the language of that moment; here it is looked up now, in
    /// the bundle's development language. A key that is not there stands for itself. Places are `%@`, `%1$@` and the
    /// like, and `%%`; an argument's `description` is put there, and a missing one leaves nothing.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        LocalizedFormat.text(LocalizableStrings.main[key] ?? key, arguments: (arguments ?? []).map { "\($0)" })
    }
}

/// The table of the main bundle.
///
/// Read by hand: on Linux a lookup through `Bundle` crashes on a bundle with plural rules.
private enum LocalizableStrings {
    static let main = table(of: Bundle.main)

    private static func table(of bundle: Bundle) -> [String: String] {
        // `developmentLocalization` traps where the bundle names none.
        let region = bundle.infoDictionary?["CFBundleDevelopmentRegion"] as? String
        let languages = [region, "Base"].compactMap { $0 }
        let file =
            languages.lazy.compactMap {
                bundle.url(forResource: "Localizable", withExtension: "strings", subdirectory: nil, localization: $0)
            }.first ?? bundle.url(forResource: "Localizable", withExtension: "strings")
        guard let file, let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return [:] }
        return (list as? [String: Any])?.compactMapValues { $0 as? String } ?? [:]
    }
}
