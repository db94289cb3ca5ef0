// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

@MainActor
struct ValuesImageTests {
    @Test(arguments: [(1.0, 10), (2.0, 20), (3.0, 30), (2.5, 30), (0.5, 10), (8, 30)])
    func `the file for the scale of the screen is taken`(scale: Double, pixels: Double) throws {
        try withBundle(["logo.png": 10, "logo@2x.png": 20, "logo@3x.png": 30]) { bundle in
            let image = shown(in: ViewEnvironment(scale: scale)) {
                UIImage(named: "logo", in: bundle, compatibleWith: nil)
            }
            #expect(image?.size == CGSize(width: 10, height: 10))
            #expect(image?.scale == CGFloat(pixels / 10))
            let file = pixels == 10 ? "logo.png" : "logo@\(Int(pixels / 10))x.png"
            #expect(image?.sceneContent == .file(bundle.bundleURL.appending(path: file)))
        }
    }

    @Test(
        arguments: [
            (["logo@3x.png": 30], "logo", 1, "logo@3x.png"), (["logo.png": 10], "logo", 3, "logo.png"),
            (["logo.png": 10, "logo@3x.png": 30], "logo", 2, "logo@3x.png"),
            (["logo.png": 10, "logo@2x.png": 20], "logo.png", 3, "logo@2x.png"),
            (["logo.jpg": 10, "logo@2x.gif": 20], "logo", 2, "logo.jpg"), (["logo.PNG": 10], "logo.PNG", 2, "logo.PNG"),
            (["icon.v2.png": 10], "icon.v2", 2, "icon.v2.png"), (["logo@2x.png": 20], "logo@2x", 1, "logo@2x.png"),
            (["logo@2x.png": 20], "logo@2x.png", 1, "logo@2x.png"),
            (["sub/logo@2x.png": 20], "sub/logo", 2, "sub/logo@2x.png"),
            (["logo": 10], "logo", 2, "logo"),
        ] as [([String: UInt8], String, Double, String)]
    )
    func `a name finds a file`(files: [String: UInt8], name: String, scale: Double, found: String) throws {
        try withBundle(files) { bundle in
            let image = UIImage(named: name, in: bundle, compatibleWith: UITraitCollection(displayScale: scale))
            #expect(image?.sceneContent == .file(bundle.bundleURL.appending(path: found)))
            #expect(image?.size == CGSize(width: 10, height: 10))
        }
    }

    @Test(arguments: ["", "other", "../logo", "sub/../logo", "logo.jpg", "/"])
    func `a name without a file finds none, nor one that leads out of the bundle`(name: String) throws {
        try withBundle(["logo.png": 10, "sub/logo.png": 10]) { bundle in
            #expect(UIImage(named: name, in: bundle, compatibleWith: nil) == nil)
        }
    }

    @Test func `an image may be another in the dark style`() throws {
        try withBundle(["logo.png": 10, "logo~dark.png": 11, "logo~dark@2x.png": 22, "sun.png": 5]) { bundle in
            let url = { (name: String) in bundle.bundleURL.appending(path: name) }
            let image = UIImage(named: "logo", in: bundle, compatibleWith: nil)
            #expect(image?.hasDarkContent == true)
            #expect(image?.sceneContent(in: .light) == .file(url("logo.png")))
            #expect(image?.sceneContent(in: .dark) == .file(url("logo~dark@2x.png")))
            let shown = shown(in: ViewEnvironment(style: .dark)) { image?.sceneContent }
            #expect(shown == .file(url("logo~dark@2x.png")))
            let dark = UIImage(named: "logo", in: bundle, compatibleWith: .inDark)
            #expect(dark?.hasDarkContent == false)
            #expect(dark?.sceneContent(in: .light) == .file(url("logo~dark@2x.png")))
            #expect(dark?.size == CGSize(width: 11, height: 11))
            let light = UIImage(named: "logo", in: bundle, compatibleWith: .inLight)
            #expect(light?.sceneContent(in: .dark) == .file(url("logo.png")))
            let sun = UIImage(named: "sun", in: bundle, compatibleWith: nil)
            #expect(sun?.hasDarkContent == false)
            #expect(sun?.sceneContent(in: .dark) == .file(url("sun.png")))
        }
    }

    @Test func `an image of the catalogue goes before files, with its scales and styles`() throws {
        let name = "Values/Image"
        let files =
            ["Values_Image.png": 10, "Values_Image@2x.png": 20, "Values_Image~dark@3x.png": 30] as [String: UInt8]
        AssetTable.add(
            image: name,
            AssetTable.Image(
                files: [1: "Values_Image.png", 2: "Values_Image@2x.png"],
                darkFiles: [3: "Values_Image~dark@3x.png"],
                isTemplate: true
            )
        )
        try withBundle(files.merging(["Values/Image.png": 7]) { $1 }) { bundle in
            let image = UIImage(named: name, in: bundle, compatibleWith: UITraitCollection(displayScale: 3))
            #expect(image?.sceneContent(in: .light) == .file(bundle.bundleURL.appending(path: "Values_Image@2x.png")))
            #expect(
                image?.sceneContent(in: .dark) == .file(bundle.bundleURL.appending(path: "Values_Image~dark@3x.png"))
            )
            #expect(image?.size == CGSize(width: 10, height: 10) && image?.renderingMode == .alwaysTemplate)
            #expect(UIImage(named: name + ".png", in: bundle, compatibleWith: nil)?.renderingMode == .alwaysTemplate)
        }
        AssetTable.add(image: "Values/Dark", AssetTable.Image(files: [:], darkFiles: [1: "dark.png"]))
        try withBundle(["dark.png": 3]) { bundle in
            let image = UIImage(named: "Values/Dark", in: bundle, compatibleWith: nil)
            #expect(image?.size == CGSize(width: 3, height: 3) && image?.renderingMode == .automatic)
        }
    }

    @Test func `bytes have no file, and a file has its scale by its name`() throws {
        let image = UIImage(data: png(6, 4), scale: 2)
        #expect(image?.size == CGSize(width: 3, height: 2))
        #expect(image?.sceneContent == .data(png(6, 4)))
        #expect(UIImage(data: png(6, 4))?.scale == 1)
        #expect(UIImage(data: png(6, 4), scale: -1)?.scale == 1)
        #expect(UIImage(data: png(6, 4), scale: .infinity)?.scale == 1)
        #expect(UIImage(data: Data("text".utf8)) == nil)
        #expect(UIImage(contentsOfFile: "/nowhere.png") == nil)
        #expect(UIImage(contentsOfFile: "/tmp") == nil)
        try withBundle(["logo@3x.png": 30]) { bundle in
            let url = bundle.bundleURL.appending(path: "logo@3x.png")
            let image = UIImage(contentsOfFile: url.path)
            #expect(image?.scale == 3 && image?.sceneContent == .file(url))
        }
    }

    @Test(arguments: [1 << 20, 1 << 20 + 1])
    func `the bytes of a file are there when it is gone`(byteCount: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        let bytes = png(8, 8) + Data(repeating: 7, count: byteCount - png(8, 8).count)
        try bytes.write(to: file)
        let image = UIImage(contentsOfFile: file.path)
        try FileManager.default.removeItem(at: file)
        #expect(image?.size == CGSize(width: 8, height: 8))
        // Compared outside of the macro, which takes minutes to tell where a megabyte differs.
        let isWhole = [image?.pngData(), image?.pngData()].map { $0 == bytes }
        #expect(isWhole == [true, true])
    }

    @Test func `an image that is written over its own file stays whole`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = png(8, 8) + Data(repeating: 7, count: 2 << 20)
        try bytes.write(to: file)
        try UIImage(contentsOfFile: file.path)?.pngData()?.write(to: file)
        let isWhole = try Data(contentsOf: file) == bytes
        #expect(isWhole)
    }

    @Test func `a symbol has a name, a size and no bytes`() {
        let star = UIImage(systemName: "star.fill")
        #expect(star?.sceneContent == .symbol("star.fill"))
        #expect(star?.size == CGSize(width: 20, height: 20) && star?.isSymbolImage == true)
        let said = lines(startingWith: "a system symbol has no bytes") {
            #expect(star?.pngData() == nil)
            #expect(star?.jpegData(compressionQuality: 1) == nil)
        }
        #expect(said == ["a system symbol has no bytes here: UIImage gives no PNG or JPEG data of it"])
        let scale = shown(in: ViewEnvironment(scale: 3)) { star?.scale }
        #expect(scale == 3)
        for name in ["", "Star", "star fill", "star-fill", "é", String(repeating: "a", count: 129)] {
            #expect(UIImage(systemName: name) == nil)
        }
        #expect(UIImage(systemName: String(repeating: "a", count: 128)) != nil)
    }

    @Test func `a configuration gives a symbol its size`() {
        typealias Configuration = UIImage.SymbolConfiguration
        let table: [(Configuration, CGFloat)] = [
            (.unspecified, 20), (Configuration(pointSize: 34), 40), (Configuration(pointSize: 34, weight: .bold), 40),
            (Configuration(pointSize: 34, weight: .bold, scale: .large), 52), (Configuration(scale: .small), 16),
            (Configuration(font: .systemFont(ofSize: 12)), 14), (Configuration(weight: .black), 20),
            (Configuration(pointSize: 1e9), 602.5), (Configuration(pointSize: -1), 1),
            (Configuration(pointSize: 34).applying(Configuration(scale: .small)), 32),
            (Configuration(pointSize: 34).applying(nil), 40),
        ]
        for (configuration, side) in table {
            let image = UIImage(systemName: "star", withConfiguration: configuration)
            #expect(image?.size == CGSize(width: side, height: side))
        }
        let large = shown(in: ViewEnvironment(textSize: 2)) { Configuration(textStyle: .body) }
        #expect(large == Configuration(pointSize: 34))
        let star = UIImage(systemName: "star", withConfiguration: Configuration(paletteColors: [.red, .blue]))
        #expect(star?.symbolConfiguration?.color == .red)
        let small = star?.applyingSymbolConfiguration(Configuration(scale: .small))
        #expect(small?.size.width == 16 && small?.symbolConfiguration?.color == .red)
        #expect(star?.withConfiguration(Configuration(pointSize: 34)).symbolConfiguration?.color == nil)
        #expect(UIImage().applyingSymbolConfiguration(.unspecified) == nil)
        #expect(Configuration(hierarchicalColor: .red) == Configuration(paletteColors: [.red]))
    }

    @MainActor @Test
    func `a symbol is drawn in the colour of its configuration, and in the size that its view prefers`()
        throws
    {
        typealias Configuration = UIImage.SymbolConfiguration
        func tint(_ view: UIImageView) throws -> SceneColor? {
            guard case .image(let image) = try ShownView(view).kind() else { return nil }
            return image.tint
        }
        let red = Configuration(paletteColors: [.red, .blue])
        let own = UIImageView(image: UIImage(systemName: "star", withConfiguration: red))
        own.tintColor = .green
        #expect(try tint(own) == SceneColor(0xFF00_00FF))
        own.image = own.image?.withTintColor(.blue)
        #expect(try tint(own) == SceneColor(0x0000_FFFF))
        let preferring = UIImageView(image: UIImage(systemName: "star"))
        #expect(preferring.intrinsicContentSize == CGSize(width: 20, height: 20))
        preferring.preferredSymbolConfiguration = Configuration(pointSize: 34).applying(red)
        #expect(preferring.intrinsicContentSize == CGSize(width: 40, height: 40))
        #expect(try tint(preferring) == SceneColor(0xFF00_00FF))
        preferring.image = UIImage(systemName: "star", withConfiguration: Configuration(pointSize: 17))
        #expect(preferring.intrinsicContentSize == CGSize(width: 20, height: 20))
        preferring.image = UIImage(data: png(4, 4))
        #expect(preferring.intrinsicContentSize == CGSize(width: 4, height: 4))
        #expect(try tint(preferring) == nil)
    }

    @Test func `an image is prepared by itself`() async {
        let image = UIImage(data: png(4, 4))
        #expect(image?.preparingForDisplay() === image)
        #expect(image?.preparingThumbnail(of: CGSize(width: 1, height: 1)) === image)
        let (prepared, small) = (await image?.byPreparingForDisplay(), await image?.byPreparingThumbnail(ofSize: .zero))
        #expect(prepared === image && small === image)
        let told = await withCheckedContinuation { told in image?.prepareForDisplay { told.resume(returning: $0) } }
        let smallTold = await withCheckedContinuation { told in
            image?.prepareThumbnail(of: .zero) { told.resume(returning: $0) }
        }
        #expect(told === image && smallTold === image)
    }

    @Test func `a changed look leaves the first image as it was`() {
        let image = UIImage(data: png(4, 4)) ?? UIImage()
        let tinted = image.withTintColor(.red, renderingMode: .alwaysOriginal)
        #expect(tinted.ownTint == .red && tinted.renderingMode == .alwaysOriginal)
        #expect(image.ownTint == nil && image.renderingMode == .automatic)
        #expect(image.withTintColor(.red).renderingMode == .automatic)
        #expect(image.withRenderingMode(.alwaysTemplate).renderingMode == .alwaysTemplate)
        #expect(image.imageFlippedForRightToLeftLayoutDirection().flipsForRightToLeftLayoutDirection)
        let insets = UIEdgeInsets(top: 1, left: 1, bottom: 2, right: 2)
        #expect(image.resizableImage(withCapInsets: insets).capInsets == insets)
        #expect(image.resizableImage(withCapInsets: insets).resizingMode == .tile)
        #expect(image.stretchableImage(withLeftCapWidth: 1, topCapHeight: 1).capInsets == insets)
        #expect(image.stretchableImage(withLeftCapWidth: 1, topCapHeight: 1).resizingMode == .stretch)
        #expect(image.withAlignmentRectInsets(insets).alignmentRectInsets == insets)
        #expect(image.imageOrientation == .up && image.preparingForDisplay() === image)
        #expect(tinted.sceneContent == image.sceneContent && tinted.size == image.size)
    }

    @Test func `images are equal by their bytes and their look`() throws {
        let image = UIImage(data: png(4, 4))
        #expect(image == UIImage(data: png(4, 4)))
        #expect(image != UIImage(data: png(4, 4), scale: 2))
        #expect(image != UIImage(data: png(4, 5)))
        #expect(image != image?.withTintColor(.red))
        #expect(UIImage(systemName: "star") == UIImage(systemName: "star"))
        #expect(UIImage(systemName: "star") != UIImage(systemName: "heart"))
        #expect(Set([image, UIImage(data: png(4, 4)), UIImage(), UIImage()]).count == 2)
        try withBundle(["logo.png": 4]) { bundle in
            #expect(UIImage(named: "logo", in: bundle, with: nil) == image)
        }
    }

    @Test func `of an animated image the first is drawn`() {
        let images = [png(4, 4), png(5, 5)].compactMap { UIImage(data: $0) }
        let said = lines(startingWith: "UIImage moves nothing") {
            let image = UIImage.animatedImage(with: images, duration: 2)
            #expect(image?.images == images && image?.duration == 2)
            #expect(image?.sceneContent == .data(png(4, 4)))
            #expect(UIImage.animatedImage(with: [], duration: 2) == nil)
            #expect(UIImage.animatedImageNamed("no such image", duration: 2) == nil)
        }
        #expect(
            said == ["UIImage moves nothing here: of an animated image the first one is drawn; a GIF file moves"]
        )
    }

    @Test func `an image literal of no file is an image without size`() {
        let said = lines(startingWith: "an image literal") {
            let image: UIImage = #imageLiteral(resourceName: "no such image")
            #expect(image.size == .zero && image.sceneContent == nil && image.pngData() == nil)
        }
        #expect(said == ["an image literal names no file of the bundle: it has no size"])
    }

    @Test func `images cross from one task to another`() async {
        let image = UIImage(data: png(4, 4))
        #expect(await Task.detached { image?.pngData() }.value == png(4, 4))
    }
}
