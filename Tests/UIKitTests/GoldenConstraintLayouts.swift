// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

// Layouts of edges, sizes, ratios and guides, and of priorities.
extension GoldenLayout {
    static let constraints = [
        GoldenLayout("edges with constants") { sketch in
            let a = sketch.add("a")
            sketch.pin(a, left: 10, top: 20, right: 30, bottom: 40)
        },
        GoldenLayout("the middle with constants") { sketch in
            let a = sketch.add("a", 50, 30)
            sketch.hold(
                a.centerXAnchor.constraint(equalTo: sketch.root.centerXAnchor, constant: -15),
                a.centerYAnchor.constraint(equalTo: sketch.root.centerYAnchor, constant: 5)
            )
        },
        GoldenLayout("a third and two thirds of the width") { sketch in
            let (a, b) = (sketch.add("a"), sketch.add("b"))
            sketch.pin(a, left: 0, top: 0, height: 20)
            sketch.pin(b, top: 0, right: 0, height: 20)
            sketch.hold(
                a.widthAnchor.constraint(equalTo: sketch.root.widthAnchor, multiplier: 1.0 / 3),
                b.leftAnchor.constraint(equalTo: a.rightAnchor)
            )
        },
        GoldenLayout("a ratio of sides") { sketch in
            let a = sketch.add("a")
            sketch.pin(a, left: 16, top: 8, right: 16)
            sketch.hold(a.widthAnchor.constraint(equalTo: a.heightAnchor, multiplier: 16.0 / 9))
        },
        GoldenLayout("a ratio that fits into a room, as large as it can be", 320, 120) { sketch in
            let a = sketch.add("a")
            sketch.hold(
                a.centerXAnchor.constraint(equalTo: sketch.root.centerXAnchor),
                a.centerYAnchor.constraint(equalTo: sketch.root.centerYAnchor),
                a.widthAnchor.constraint(equalTo: a.heightAnchor, multiplier: 4.0 / 3),
                a.widthAnchor.constraint(lessThanOrEqualTo: sketch.root.widthAnchor, constant: -20),
                a.heightAnchor.constraint(lessThanOrEqualTo: sketch.root.heightAnchor, constant: -20)
            )
            let wish = a.widthAnchor.constraint(equalTo: sketch.root.widthAnchor)
            wish.priority = .defaultHigh
            sketch.hold(wish)
        },
        GoldenLayout("the middle at a quarter, by a factor") { sketch in
            let a = sketch.add("a", 40, 20)
            for attribute in [NSLayoutConstraint.Attribute.centerX, .centerY] {
                sketch.hold(
                    NSLayoutConstraint(
                        item: a,
                        attribute: attribute,
                        relatedBy: .equal,
                        toItem: sketch.root,
                        attribute: attribute,
                        multiplier: 0.5,
                        constant: 0
                    )
                )
            }
        },
        GoldenLayout("a bottom at three quarters of the height, by a factor") { sketch in
            let a = sketch.add("a", 40, 20)
            sketch.pin(a, left: 0)
            sketch.hold(
                NSLayoutConstraint(
                    item: a,
                    attribute: .bottom,
                    relatedBy: .equal,
                    toItem: sketch.root,
                    attribute: .bottom,
                    multiplier: 0.75,
                    constant: 6
                )
            )
        },
        GoldenLayout("equal guides between three views") { sketch in
            let views = [sketch.add("a", 50, 20), sketch.add("b", 30, 20), sketch.add("c", 60, 20)]
            let guides = [sketch.guide("one"), sketch.guide("two")]
            sketch.pin(views[0], left: 0, top: 10)
            sketch.pin(views[1], top: 10)
            sketch.pin(views[2], top: 10, right: 0)
            for (index, guide) in guides.enumerated() {
                sketch.hold(
                    guide.leftAnchor.constraint(equalTo: views[index].rightAnchor),
                    guide.rightAnchor.constraint(equalTo: views[index + 1].leftAnchor),
                    guide.topAnchor.constraint(equalTo: views[0].topAnchor),
                    guide.heightAnchor.constraint(equalTo: views[0].heightAnchor)
                )
            }
            sketch.hold(guides[0].widthAnchor.constraint(equalTo: guides[1].widthAnchor))
        },
        GoldenLayout("the standard distance, twice and from the edge") { sketch in
            let (a, b) = (sketch.add("a", 50, 20), sketch.add("b", 30, 20))
            sketch.hold(
                a.leadingAnchor.constraint(equalToSystemSpacingAfter: sketch.root.leadingAnchor, multiplier: 1),
                b.leadingAnchor.constraint(equalToSystemSpacingAfter: a.trailingAnchor, multiplier: 2),
                a.topAnchor.constraint(equalToSystemSpacingBelow: sketch.root.topAnchor, multiplier: 1.5),
                b.topAnchor.constraint(equalTo: a.bottomAnchor)
            )
        },
        GoldenLayout("views in views, across levels") { sketch in
            let outer = sketch.add("outer")
            let inner = sketch.add("inner", to: outer)
            let mark = sketch.add("mark", 8, 8)
            sketch.pin(outer, left: 20, top: 10, right: 20, bottom: 10)
            sketch.pin(inner, left: 30, top: 15, width: 100, height: 60)
            sketch.hold(
                mark.leftAnchor.constraint(equalTo: inner.rightAnchor),
                mark.centerYAnchor.constraint(equalTo: inner.bottomAnchor)
            )
        },
    ]

    static let priorities = [
        GoldenLayout("a wish that a limit cuts") { sketch in
            let a = sketch.add("a")
            sketch.pin(a, left: 10, top: 0, height: 10)
            let wish = a.widthAnchor.constraint(equalToConstant: 500)
            wish.priority = .defaultHigh
            sketch.hold(
                wish,
                a.trailingAnchor.constraint(lessThanOrEqualTo: sketch.root.trailingAnchor, constant: -10)
            )
        },
        GoldenLayout("of three wishes the strongest") { sketch in
            let a = sketch.add("a")
            sketch.pin(a, left: 0, top: 0, height: 10)
            for (width, priority) in [(50.0, 300), (120, 500), (80, 400)] as [(CGFloat, Float)] {
                let wish = a.widthAnchor.constraint(equalToConstant: width)
                wish.priority = UILayoutPriority(priority)
                sketch.hold(wish)
            }
        },
        GoldenLayout("the less hugged of two is stretched") { sketch in
            let (a, b) = (sketch.add("a", 80, 20), sketch.add("b", 60, 20))
            a.setContentHuggingPriority(UILayoutPriority(249), for: .horizontal)
            sketch.hold(["H:|-[a]-[b]-|", "V:|[a]", "V:|[b]"])
        },
        GoldenLayout("the one that resists less is compressed") { sketch in
            let (a, b) = (sketch.add("a", 200, 20), sketch.add("b", 180, 20))
            b.setContentCompressionResistancePriority(UILayoutPriority(751), for: .horizontal)
            sketch.hold(["H:|[a][b]|", "V:|[a]", "V:|[b]"])
        },
        GoldenLayout("a required content pushes the other away") { sketch in
            let (a, b) = (sketch.add("a", 250, 20), sketch.add("b", 100, 20))
            a.setContentCompressionResistancePriority(.required, for: .horizontal)
            sketch.hold(["H:|[a]-(>=10)-[b]|", "V:|[a]", "V:|[b]"])
        },
        GoldenLayout("at least and at most, at both bounds") { sketch in
            let (a, b) = (sketch.add("a", 20, 20), sketch.add("b", 300, 20))
            sketch.pin(a, left: 0, top: 0)
            sketch.pin(b, left: 0, top: 30)
            sketch.hold(
                a.widthAnchor.constraint(greaterThanOrEqualToConstant: 44),
                b.widthAnchor.constraint(lessThanOrEqualToConstant: 150)
            )
        },
        GoldenLayout("a wish of a ratio holds before the content") { sketch in
            let a = sketch.add("a", 100, 40)
            sketch.pin(a, left: 0, top: 0)
            let ratio = a.widthAnchor.constraint(equalTo: a.heightAnchor)
            ratio.priority = UILayoutPriority(740)
            sketch.hold(ratio)
        },
        GoldenLayout("the lowest edge of two decides") { sketch in
            let (a, b, line) = (sketch.add("a", 40, 70), sketch.add("b", 40, 50), sketch.add("line"))
            sketch.pin(a, left: 0, top: 10)
            sketch.pin(b, top: 10, right: 0)
            sketch.pin(line, left: 0, right: 0, height: 1)
            let near = line.topAnchor.constraint(equalTo: sketch.root.topAnchor)
            near.priority = .defaultLow
            sketch.hold(
                line.topAnchor.constraint(greaterThanOrEqualTo: a.bottomAnchor, constant: 8),
                line.topAnchor.constraint(greaterThanOrEqualTo: b.bottomAnchor, constant: 8),
                near
            )
        },
        GoldenLayout("a column that is collapsed by the stronger height") { sketch in
            let (card, text) = (sketch.add("card"), SizedView(100, 90))
            sketch.add("text", text, to: card)
            sketch.pin(card, left: 0, top: 0, right: 0)
            sketch.pin(text, left: 5, top: 5)
            let (small, whole) = (
                card.heightAnchor.constraint(equalToConstant: 40),
                card.bottomAnchor.constraint(equalTo: text.bottomAnchor, constant: 5)
            )
            small.priority = UILayoutPriority(999)
            whole.priority = UILayoutPriority(998)
            sketch.hold(small, whole)
        },
    ]
}
