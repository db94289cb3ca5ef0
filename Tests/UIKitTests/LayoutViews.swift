// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

/// A view with content of a size that a test sets.
final class SizedView: UIView {
    var size: CGSize { didSet { invalidateIntrinsicContentSize() } }
    /// The distances of the baselines from the top and from the bottom.
    var lines: (first: CGFloat, last: CGFloat) = (0, 0)

    init(_ width: CGFloat, _ height: CGFloat) {
        size = CGSize(width: width, height: height)
        super.init(frame: .zero)
    }

    required init?(coder: NSCoder) { nil }

    override var intrinsicContentSize: CGSize { size }

    override func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) { lines }
}

/// A view of words of which each is 10 points wide and each line 20 points high.
final class WordsView: UIView {
    private let count: CGFloat

    init(_ count: Int) {
        self.count = CGFloat(count)
        super.init(frame: .zero)
    }

    required init?(coder: NSCoder) { nil }

    override var wrapsContent: Bool { true }
    override var intrinsicContentSize: CGSize { contentSize(inWidth: textWidth) }

    override func contentSize(inWidth width: CGFloat) -> CGSize {
        let perLine = max(1, min(count, (width / 10).rounded(.down)))
        return CGSize(width: perLine * 10, height: (count / perLine).rounded(.up) * 20)
    }

    override func baselines(inWidth width: CGFloat) -> (first: CGFloat, last: CGFloat) { (15, 5) }
}

extension UIView {
    /// A view of that size, for views in it.
    static func box(_ width: CGFloat, _ height: CGFloat) -> UIView {
        UIView(frame: CGRect(x: 0, y: 0, width: width, height: height))
    }

    /// Puts views into this one that constraints place, and returns it.
    @discardableResult
    func with(_ views: UIView...) -> Self {
        for view in views {
            view.translatesAutoresizingMaskIntoConstraints = false
            addSubview(view)
        }
        return self
    }

    /// The frame of the view after a layout.
    var placed: CGRect {
        layoutIfNeeded()
        return frame
    }
}

/// A rectangle by its four numbers.
func rect(_ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) -> CGRect {
    CGRect(x: x, y: y, width: width, height: height)
}
