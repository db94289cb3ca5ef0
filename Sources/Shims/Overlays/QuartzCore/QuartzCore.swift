// SPDX-License-Identifier: Apache-2.0

// The submodules (`import QuartzCore.CALayer`) are clang's and empty; UIKit has what there is of Core Animation.
@_exported import QuartzCore
@_exported import UIKit
