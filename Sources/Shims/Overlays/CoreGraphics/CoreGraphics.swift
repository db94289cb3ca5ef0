// SPDX-License-Identifier: Apache-2.0

// The submodules (`import CoreGraphics.CGGeometry`) are clang's and empty; UIKit has what there is of Core Graphics.
@_exported import CoreGraphics
@_exported import UIKit
