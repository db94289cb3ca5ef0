// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Testing
import UIKit

extension LogTests {
    struct UIKitTests {
        @Test func `an image carries its bytes, and its size is that of its header`() {
            _ = recordingLog {
                #expect(ImageCase(png) == ImageCase(size: [3, 2], png: true, jpeg: true))
                #expect(ImageCase(jpeg) == ImageCase(size: [300, 100], png: true, jpeg: true))
                #expect(ImageCase(jpeg, scale: 2)?.size == [150, 50])
                let gif = Data("GIF89a".utf8) + Data([5, 0, 4, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0])
                #expect(ImageCase(gif)?.size == [5, 4])
                #expect(ImageCase(Data("RIFF....WEBP".utf8))?.size == [0, 0])
            }
        }

        @Test(arguments: [Data(), Data("text".utf8), Data([0xFF, 0xD8]), Data("RIFF....WAVE".utf8)])
        func `what is no image gives none`(data: Data) {
            #expect(ImageCase(data) == nil)
        }

        @Test(arguments: 0..<30)
        func `a header that is cut off is read as far as it goes`(count: Int) {
            _ = recordingLog {
                if let image = ImageCase(jpeg.prefix(count)) { #expect(image.jpeg) }
                if let image = ImageCase(png.prefix(count)) { #expect(image.png) }
            }
        }

        @Test func `a conversion that did not happen is said once`() {
            let lines = recordingLog {
                _ = ImageCase(Data("BM".utf8) + Data(count: 30))
                _ = ImageCase(Data("BM".utf8) + Data(count: 30))
                #expect(ImageCase.systemImageIsThere())
            }
            #expect(
                lines.map(\.message) == [
                    "UIImage converts nothing here: asked for PNG, gave BMP data as it came",
                    "UIImage converts nothing here: asked for JPEG, gave BMP data as it came",
                ]
            )
        }

        @Test func `colours are equal by their components`() {
            var red: CGFloat = 0
            #expect(UIColor.red.getRed(&red, green: nil, blue: nil, alpha: nil))
            #expect(red == 1)
            #expect(UIColor.white == UIColor(white: 1, alpha: 1))
            #expect(UIColor.red != UIColor.blue)
        }
    }
}
