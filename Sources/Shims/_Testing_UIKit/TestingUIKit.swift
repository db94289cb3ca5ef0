// SPDX-License-Identifier: Apache-2.0

// Swift's testing library names this module for files that import UIKit beside it (Testing.swiftcrossimport in the
// toolchain), and on Linux brings none of that name: such a file would not compile. Apple's makes images into
// attachments of a test; with this one a test records an image's `pngData()`.
