// SPDX-License-Identifier: Apache-2.0

// A file of its own: where Testing and UIKit meet in one, the compiler looks for a module that is Apple's alone.
import UIKit

func isBlack(_ color: UIColor) -> Bool {
    color == UIColor(white: 0, alpha: 1)
}
