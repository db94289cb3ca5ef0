// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

// Layouts of stack views: each distribution and alignment, distances, margins, and views that are not seen.
extension GoldenLayout {
    static let stacks = [
        GoldenLayout("a row in its own size") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .fill, spacing: 5)
            sketch.pin(stack, left: 10, top: 10)
        },
        GoldenLayout("a row fills with the view that is hugged least") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .fill, spacing: 5)
            stack.arrangedSubviews[1].setContentHuggingPriority(UILayoutPriority(249), for: .horizontal)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a row compresses the view that resists least", 100, 60) { sketch in
            let stack = sketch.stack(.horizontal, .fill, .fill, spacing: 5)
            stack.arrangedSubviews[0].setContentCompressionResistancePriority(UILayoutPriority(749), for: .horizontal)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a row of equal widths") { sketch in
            let stack = sketch.stack(.horizontal, .fillEqually, .fill, spacing: 10)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a column of equal heights") { sketch in
            let stack = sketch.stack(.vertical, .fillEqually, .fill, spacing: 4)
            sketch.pin(stack, left: 0, top: 0, bottom: 0)
        },
        GoldenLayout("a row of proportional widths", 240) { sketch in
            let stack = sketch.stack(.horizontal, .fillProportionally, .fill)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a row of equal distances") { sketch in
            let stack = sketch.stack(.horizontal, .equalSpacing, .center)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a column of equal distances") { sketch in
            let stack = sketch.stack(.vertical, .equalSpacing, .leading)
            sketch.pin(stack, left: 0, top: 0, bottom: 0)
        },
        GoldenLayout("a row of equal distances of the middles") { sketch in
            let stack = sketch.stack(.horizontal, .equalCentering, .center)
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a row at the top") { sketch in
            sketch.pin(sketch.stack(.horizontal, .fill, .top, spacing: 2), left: 0, top: 0)
        },
        GoldenLayout("a row at the bottom") { sketch in
            sketch.pin(sketch.stack(.horizontal, .fill, .bottom, spacing: 2), left: 0, top: 0, height: 80)
        },
        GoldenLayout("a row in the middle") { sketch in
            sketch.pin(sketch.stack(.horizontal, .fill, .center, spacing: 2), left: 0, top: 0)
        },
        GoldenLayout("a column on the trailing side") { sketch in
            sketch.pin(sketch.stack(.vertical, .fill, .trailing, spacing: 2), left: 0, top: 0)
        },
        GoldenLayout("a column in the middle, with a distance of its own") { sketch in
            let stack = sketch.stack(.vertical, .fill, .center, spacing: 2)
            stack.setCustomSpacing(20, after: stack.arrangedSubviews[0])
            sketch.pin(stack, left: 0, top: 0)
        },
        GoldenLayout("a row on the first baseline of texts") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .firstBaseline, spacing: 6, of: [])
            for (name, size) in [("large", 28.0), ("middle", 17), ("small", 11)] as [(String, CGFloat)] {
                let label = UILabel()
                (label.text, label.font) = (name, .systemFont(ofSize: size))
                sketch.arrange(name, label, in: stack)
            }
            sketch.pin(stack, left: 0, top: 0)
        },
        GoldenLayout("a row on the last baseline of texts of one and of two lines") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .lastBaseline, spacing: 6, of: [])
            for (name, text) in [("one", "One"), ("two", "Two\nlines")] {
                let label = UILabel()
                (label.text, label.numberOfLines) = (text, 0)
                sketch.arrange(name, label, in: stack)
            }
            sketch.pin(stack, left: 0, top: 0)
        },
        GoldenLayout("a row inside of its margins") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .fill, spacing: 5)
            stack.isLayoutMarginsRelativeArrangement = true
            stack.layoutMargins = UIEdgeInsets(top: 4, left: 12, bottom: 6, right: 8)
            sketch.pin(stack, left: 0, top: 0)
        },
        GoldenLayout("a view that is not seen takes no room") { sketch in
            let stack = sketch.stack(.vertical, .fill, .fill, spacing: 5)
            stack.arrangedSubviews[1].isHidden = true
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
        GoldenLayout("a row in a column") { sketch in
            let stack = sketch.stack(.vertical, .fill, .leading, spacing: 8, of: [(100, 20)])
            let row = sketch.arrange("row", UIStackView(), in: stack)
            row.spacing = 3
            sketch.arrange("left", SizedView(40, 16), in: row)
            sketch.arrange("right", SizedView(50, 24), in: row)
            sketch.pin(stack, left: 7, top: 7)
        },
        GoldenLayout("a column of texts that wrap", 200) { sketch in
            let stack = sketch.stack(.vertical, .fill, .fill, spacing: 4, of: [])
            for (name, text) in [("first", "A text that needs more than one line"), ("second", "One line")] {
                let label = UILabel()
                (label.text, label.numberOfLines) = (text, 0)
                sketch.arrange(name, label, in: stack)
            }
            sketch.pin(stack, left: 10, top: 10, right: 10)
        },
        GoldenLayout("a view with a width of its own in a column that fills") { sketch in
            let stack = sketch.stack(.vertical, .fill, .center, spacing: 4)
            let first = stack.arrangedSubviews[0]
            sketch.hold(first.widthAnchor.constraint(equalTo: stack.widthAnchor, multiplier: 0.5))
            sketch.pin(stack, left: 0, top: 0, right: 0)
        },
    ]
}
