// SPDX-License-Identifier: Apache-2.0

/// Facts from outside the file that its Swift form depends on.
package struct InterfaceOptions: Sendable {
    /// The table of texts in other languages, "MainInterface" of `en.lproj/MainInterface.strings`; nil without one.
    package var localizedTable: String?
    /// The names of the images in the bundle and its catalogues; nil means that they are not compared.
    package var images: Set<String>?

    /// True if the compiler's messages may point at the file; of files of one name the compiler takes one alone.
    package var isPointedAt = true

    package init(localizedTable: String? = nil, images: Set<String>? = nil) {
        (self.localizedTable, self.images) = (localizedTable, images)
    }
}
