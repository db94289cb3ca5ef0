// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

// Layouts of texts: lines, baselines, and who gives way.
extension GoldenLayout {
    private static let long = "A text that is much too long to stand in one line of a view of this width"

    static let texts = [
        GoldenLayout("a text of one line is as large as its letters") { sketch in
            let a = sketch.add("a", "Hello")
            sketch.pin(a, left: 16, top: 8)
        },
        GoldenLayout("a text wraps between two edges and has the height of its lines") { sketch in
            let a = sketch.add("a", long, lines: 0)
            sketch.pin(a, left: 16, top: 8, right: 16)
        },
        GoldenLayout("a text wraps beside a picture of a fixed size") { sketch in
            let (picture, a) = (sketch.add("picture", 64, 64), sketch.add("a", long, 15, lines: 0))
            picture.setContentHuggingPriority(.required, for: .horizontal)
            picture.setContentCompressionResistancePriority(.required, for: .horizontal)
            sketch.hold(["H:|-[picture]-[a]-|", "V:|-[picture]", "V:|-[a]"])
        },
        GoldenLayout("two texts that wrap share the width") { sketch in
            let (a, b) = (sketch.add("a", long, 13, lines: 0), sketch.add("b", "Short", 13, lines: 0))
            sketch.hold(["H:|[a]-10-[b]|", "V:|[a]", "V:|[b]"])
            sketch.hold(a.widthAnchor.constraint(equalTo: b.widthAnchor))
        },
        GoldenLayout("a text of two lines at most") { sketch in
            let (a, b) = (sketch.add("a", long, lines: 2), sketch.add("b", 10, 10))
            sketch.pin(a, left: 0, top: 0, width: 120)
            sketch.pin(b, left: 0)
            sketch.hold(b.topAnchor.constraint(equalTo: a.bottomAnchor))
        },
        GoldenLayout("a short text stays whole beside a long one of one line") { sketch in
            let (a, b) = (sketch.add("a", long), sketch.add("b", "now", 13))
            b.setContentCompressionResistancePriority(UILayoutPriority(751), for: .horizontal)
            b.setContentHuggingPriority(UILayoutPriority(251), for: .horizontal)
            sketch.hold(["H:|-[a]-[b]-|", "V:|-[a]"])
            sketch.hold(b.centerYAnchor.constraint(equalTo: a.centerYAnchor))
        },
        GoldenLayout("a card is as high as two texts that wrap") { sketch in
            let card = sketch.add("card")
            let (a, b) = (
                sketch.add("a", "A heading", lines: 0, to: card), sketch.add("b", long, 13, lines: 0, to: card)
            )
            sketch.pin(card, left: 10, top: 10, right: 10)
            sketch.pin(a, left: 12, top: 12, right: 12)
            sketch.pin(b, left: 12, right: 12, bottom: 12)
            sketch.hold(b.topAnchor.constraint(equalTo: a.bottomAnchor, constant: 4))
        },
        GoldenLayout("texts of two sizes on one line") { sketch in
            let (a, b) = (sketch.add("a", "Large", 28), sketch.add("b", "small", 12))
            sketch.pin(a, left: 0, top: 10)
            sketch.hold(
                b.leftAnchor.constraint(equalTo: a.rightAnchor, constant: 4),
                b.firstBaselineAnchor.constraint(equalTo: a.firstBaselineAnchor)
            )
        },
        GoldenLayout("the first line stands a distance below the last line of another text") { sketch in
            let (a, b) = (sketch.add("a", long, lines: 0), sketch.add("b", "Below", 20))
            sketch.pin(a, left: 0, top: 0, right: 0)
            sketch.pin(b, left: 0)
            sketch.hold(b.firstBaselineAnchor.constraint(equalTo: a.lastBaselineAnchor, constant: 30))
        },
        GoldenLayout("a text that hugs is beside one that fills") { sketch in
            let (a, b) = (sketch.add("a", "Name:", 15), sketch.add("b", "Alice", 15))
            a.setContentHuggingPriority(UILayoutPriority(251), for: .horizontal)
            sketch.hold(["H:|-20-[a]-[b]-20-|", "V:|-[a]"], metrics: [:])
            sketch.hold(b.lastBaselineAnchor.constraint(equalTo: a.lastBaselineAnchor))
        },
        GoldenLayout("an empty text takes no room") { sketch in
            let (a, b) = (sketch.add("a", ""), sketch.add("b", "After"))
            sketch.hold(["H:|[a]-[b]", "V:|[a]", "V:|[b]"])
        },
    ]
}
