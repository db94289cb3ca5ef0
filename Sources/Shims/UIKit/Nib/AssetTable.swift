// SPDX-License-Identifier: Apache-2.0

import Locking

/// The colours and images of an extension's asset catalogues, by name, as its program registers them at its start.
///
/// `UIColor(named:)` and `UIImage(named:)` look here first; Apple's look into the compiled catalogue.
public enum AssetTable {
    /// An image of a catalogue: the files that the bundle has for it.
    public struct Image: Sendable {
        /// A file by its scale, 1 to 3, in light appearance.
        public let files: [Int: String]
        /// A file by its scale, 1 to 3, in dark appearance; empty if the image has no other form there.
        public let darkFiles: [Int: String]
        /// True if the image is drawn in the tint colour.
        public let isTemplate: Bool

        /// An image with files by their scale.
        public init(files: [Int: String], darkFiles: [Int: String] = [:], isTemplate: Bool = false) {
            (self.files, self.darkFiles, self.isTemplate) = (files, darkFiles, isTemplate)
        }
    }

    private static let entries = Locked<(colors: [String: UIColor], images: [String: Image])>(([:], [:]))

    /// Makes a colour known by its name.
    public static func add(color name: String, _ color: UIColor) {
        entries.withLock { $0.colors[name] = color }
    }

    /// Makes an image known by its name.
    public static func add(image name: String, _ image: Image) {
        entries.withLock { $0.images[name] = image }
    }

    /// The colour of that name; nil if no catalogue has it.
    public static func color(named name: String) -> UIColor? { entries.withLock { $0.colors[name] } }

    /// The image of that name; nil if no catalogue has it.
    public static func image(named name: String) -> Image? { entries.withLock { $0.images[name] } }
}
