// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The numbers in the extension's Info.plist that its own process needs.
///
/// Source: Apple, "UNNotificationExtensionInitialContentSizeRatio".
struct ContentExtensionInformation {
    /// The height of the box over its width before the extension says another, 0 to 2.
    let initialSizeRatio: Double

    /// Reads the Info.plist of the bundle that this program is in; a ratio that it does not have is 1.
    static var main: ContentExtensionInformation {
        ContentExtensionInformation(Bundle.main.infoDictionary ?? [:])
    }

    init(_ values: [String: Any]) {
        let service = values["NSExtension"] as? [String: Any]
        let attributes = service?["NSExtensionAttributes"] as? [String: Any]
        let ratio = (attributes?["UNNotificationExtensionInitialContentSizeRatio"] as? NSNumber)?.doubleValue ?? 1
        initialSizeRatio = ratio.isFinite ? min(max(0, ratio), 2) : 1
    }
}
