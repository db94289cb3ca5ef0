// SPDX-License-Identifier: Apache-2.0

import UIKit

let png = Data([
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2, 8, 6,
    0,
    0, 0,
])
let jpeg = Data([
    0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xC0, 0, 17, 8, 0, 100, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
])

/// The facts that an extension sees of an image: its size, and whether its PNG and its JPEG are the bytes that it was
/// made of.
struct ImageCase: Equatable {
    var size: [Double]
    var png: Bool
    var jpeg: Bool

    init(size: [Double], png: Bool, jpeg: Bool) {
        (self.size, self.png, self.jpeg) = (size, png, jpeg)
    }

    init?(_ data: Data, scale: Double = 1, quality: Double = 1) {
        guard let image = UIImage(data: data, scale: scale) else { return nil }
        size = [Double(image.size.width), Double(image.size.height)]
        png = image.pngData() == data
        jpeg = image.jpegData(compressionQuality: quality) == data
    }

    static func systemImageIsThere() -> Bool { UIImage(systemName: "star") != nil }
}
