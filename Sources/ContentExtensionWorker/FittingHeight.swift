// SPDX-License-Identifier: Apache-2.0

import UIKit

extension UIViewController {
    /// The height that the constraints of the view need in a width; `nil` where they tie nothing from top to bottom.
    ///
    /// A height that stays the same whether little or much is wanted is one that the constraints say.
    func fittingHeight(inWidth width: Double) -> Double? {
        guard let view = viewIfLoaded, !view.subviews.isEmpty else { return nil }
        let heights = [UIView.layoutFittingCompressedSize.height, UIView.layoutFittingExpandedSize.height].map {
            view.systemLayoutSizeFitting(
                CGSize(width: width, height: $0),
                withHorizontalFittingPriority: .required,
                verticalFittingPriority: UILayoutPriority(1)
            ).height
        }
        guard abs(heights[0] - heights[1]) < 1, heights[0] > 0 else { return nil }
        return Double(heights[0])
    }
}
