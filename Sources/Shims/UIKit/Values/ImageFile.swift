// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// The names of image files in a bundle: `NAME[~dark][@2x|@3x].EXTENSION`.
enum ImageFile {
    /// Extensions in the order in which a name without one is looked for.
    static let extensions = ["png", "jpg", "jpeg", "gif", "webp", "heic"]

    /// The pixels of a point that the name of a file tells; 1 when it tells none.
    static func scale(of file: String) -> Int {
        let stem = NSString(string: NSString(string: file).lastPathComponent).deletingPathExtension
        return [2, 3].first { stem.hasSuffix("@\($0)x") } ?? 1
    }

    /// Scales in the order in which files are looked for: the screen's, then larger ones, then smaller ones.
    static func scales(for screen: CGFloat) -> [Int] {
        let wanted = screen > 2 ? 3 : screen > 1 ? 2 : 1
        return [wanted] + (1...3).filter { $0 > wanted } + (1...3).filter { $0 < wanted }.reversed()
    }

    /// The extension of a name, as it is written; empty when it has none of an image.
    static func type(of name: String) -> String {
        let type = NSString(string: name).pathExtension
        return (extensions + ["heif", "tif", "tiff", "bmp"]).contains(type.lowercased()) ? type : ""
    }

    /// A name without the extension of an image.
    static func stem(of name: String) -> String {
        type(of: name).isEmpty ? name : NSString(string: name).deletingPathExtension
    }

    /// Names of files and their extensions, first choice first.
    static func candidates(_ name: String, isDark: Bool, screen: CGFloat) -> [(name: String, type: String)] {
        let type = type(of: name)
        let stem = stem(of: name) + (isDark ? "~dark" : "")
        return (type.isEmpty ? extensions : [type]).flatMap { type in
            scales(for: screen).map { ($0 == 1 ? stem : "\(stem)@\($0)x", type) }
        }
    }

    /// The image of the asset catalogue by its name, of which an extension may be left away; nil when it has none.
    static func asset(named name: String) -> AssetTable.Image? {
        AssetTable.image(named: name) ?? AssetTable.image(named: stem(of: name))
    }

    /// Finds a file of a bundle; nil when there is none, and for a name that leads out of the bundle.
    static func path(_ name: String, isDark: Bool, screen: CGFloat, in bundle: Bundle) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, !parts.contains("..") else { return nil }
        if let asset = asset(named: name) {
            let files = isDark ? asset.darkFiles : asset.files
            return scales(for: screen).lazy.compactMap { files[$0] }.first
                .flatMap { bundle.path(forResource: $0, ofType: nil) }
        }
        for (name, type) in candidates(name, isDark: isDark, screen: screen) {
            if let path = bundle.path(forResource: name, ofType: type) { return path }
        }
        return isDark ? nil : bundle.path(forResource: name, ofType: nil)
    }
}

extension ImageContent {
    /// Finds the files of an image by name; nil when the bundle has none.
    ///
    /// Traits with a style choose the file of that style for both; traits with a scale choose files as a screen would.
    init?(named name: String, in bundle: Bundle, compatibleWith traits: UITraitCollection?) {
        let scale = traits.map(\.displayScale) ?? 0
        let screen = scale > 0 ? scale : CGFloat(Surroundings.environment.scale)
        func picture(isDark: Bool) -> ImagePicture? {
            ImageFile.path(name, isDark: isDark, screen: screen, in: bundle).flatMap { ImagePicture(bundleFile: $0) }
        }
        let (light, dark) = (picture(isDark: false), picture(isDark: true))
        switch traits?.userInterfaceStyle ?? .unspecified {
        case .light:
            guard let light = light ?? dark else { return nil }
            self = .pictures(light: light, dark: nil)
        case .dark:
            guard let dark = dark ?? light else { return nil }
            self = .pictures(light: dark, dark: nil)
        case .unspecified:
            guard let light = light ?? dark else { return nil }
            self = .pictures(light: light, dark: dark)
        }
    }
}
