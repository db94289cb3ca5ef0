// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import UIKit

// Layouts of frames and masks, of margins, and of scroll views.
extension GoldenLayout {
    /// Makes the root larger once its views have their frames.
    @MainActor private static func grow(_ sketch: GoldenLayoutSketch, to width: CGFloat, _ height: CGFloat) {
        sketch.root.layoutIfNeeded()
        sketch.root.frame.size = CGSize(width: width, height: height)
    }

    static let frames = [
        GoldenLayout("a size that grows with the view around", 200, 100) { sketch in
            sketch.addFrame("a", rect(10, 20, 180, 60), [.flexibleWidth, .flexibleHeight])
            grow(sketch, to: 300, 150)
        },
        GoldenLayout("a view that stays at the right and the bottom", 200, 100) { sketch in
            sketch.addFrame("a", rect(150, 70, 40, 20), [.flexibleLeftMargin, .flexibleTopMargin])
            grow(sketch, to: 300, 150)
        },
        GoldenLayout("a view that stays in the middle", 200, 100) { sketch in
            sketch.addFrame(
                "a",
                rect(80, 40, 40, 20),
                [.flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin]
            )
            grow(sketch, to: 300, 150)
        },
        GoldenLayout("masks in masks", 200, 100) { sketch in
            let outer = sketch.addFrame("outer", rect(0, 0, 200, 50), [.flexibleWidth])
            sketch.addFrame("left", rect(5, 5, 90, 40), [.flexibleRightMargin], to: outer)
            sketch.addFrame("right", rect(105, 5, 90, 40), [.flexibleLeftMargin], to: outer)
            grow(sketch, to: 320, 100)
        },
        GoldenLayout("constraints to a view that follows its frame", 200, 100) { sketch in
            let outer = sketch.addFrame("outer", rect(20, 10, 160, 50), [.flexibleWidth])
            let a = sketch.add("a")
            sketch.hold(
                a.leftAnchor.constraint(equalTo: outer.leftAnchor, constant: 5),
                a.rightAnchor.constraint(equalTo: outer.rightAnchor, constant: -5),
                a.topAnchor.constraint(equalTo: outer.bottomAnchor),
                a.heightAnchor.constraint(equalTo: outer.heightAnchor, multiplier: 0.5)
            )
            grow(sketch, to: 300, 100)
        },
        GoldenLayout("the margins of a view in a view") { sketch in
            let outer = sketch.add("outer")
            let a = sketch.add("a", to: outer)
            sketch.pin(outer, left: 20, top: 20, right: 20, bottom: 20)
            let guide = outer.layoutMarginsGuide
            sketch.hold(
                a.topAnchor.constraint(equalTo: guide.topAnchor),
                a.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
                a.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
                a.bottomAnchor.constraint(equalTo: guide.bottomAnchor)
            )
        },
        GoldenLayout("margins that code sets, by attributes") { sketch in
            let outer = sketch.add("outer")
            let a = sketch.add("a", 30, 20, to: outer)
            sketch.pin(outer, left: 0, top: 0, width: 200, height: 100)
            outer.layoutMargins = UIEdgeInsets(top: 10, left: 20, bottom: 30, right: 60)
            for attribute in [NSLayoutConstraint.Attribute.centerX, .centerY] {
                sketch.hold(
                    NSLayoutConstraint(
                        item: a,
                        attribute: attribute,
                        relatedBy: .equal,
                        toItem: outer,
                        attribute: attribute == .centerX ? .centerXWithinMargins : .centerYWithinMargins,
                        multiplier: 1,
                        constant: 0
                    )
                )
            }
        },
        GoldenLayout("the safe area is all of the view") { sketch in
            let a = sketch.add("a")
            let guide = sketch.root.safeAreaLayoutGuide
            sketch.hold(
                a.topAnchor.constraint(equalTo: guide.topAnchor, constant: 1),
                a.leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 2),
                guide.bottomAnchor.constraint(equalTo: a.bottomAnchor, constant: 3),
                guide.trailingAnchor.constraint(equalTo: a.trailingAnchor, constant: 4)
            )
        },
        GoldenLayout("content of a scroll view, by its guides") { sketch in
            let scroll = sketch.add("scroll", UIScrollView())
            let content = sketch.add("content", 500, 300, to: scroll)
            sketch.pin(scroll, left: 10, top: 10, right: 10, bottom: 10)
            let guide = scroll.contentLayoutGuide
            sketch.hold(
                content.topAnchor.constraint(equalTo: guide.topAnchor, constant: 5),
                content.leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 5),
                content.trailingAnchor.constraint(equalTo: guide.trailingAnchor, constant: -5),
                content.bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: -5)
            )
        },
        GoldenLayout("content of a scroll view that is as wide as it, by edges") { sketch in
            let scroll = sketch.add("scroll", UIScrollView())
            let text = sketch.add("text", String(repeating: "many words ", count: 20), lines: 0, to: scroll)
            sketch.pin(scroll, left: 0, top: 0, right: 0, bottom: 0)
            sketch.pin(text, left: 8, top: 8, right: 8, bottom: 8)
            sketch.hold(text.widthAnchor.constraint(equalTo: scroll.widthAnchor, constant: -16))
        },
        GoldenLayout("a column in a scroll view is at least as high as it") { sketch in
            let scroll = sketch.add("scroll", UIScrollView())
            let content = sketch.add("content", to: scroll)
            let (a, b) = (sketch.add("a", 50, 40, to: content), sketch.add("b", 50, 30, to: content))
            sketch.pin(scroll, left: 0, top: 0, right: 0, bottom: 0)
            sketch.pin(content, left: 0, top: 0, right: 0, bottom: 0)
            sketch.pin(a, left: 0, top: 0)
            sketch.pin(b, left: 0, bottom: 0)
            sketch.hold(
                content.widthAnchor.constraint(equalTo: scroll.frameLayoutGuide.widthAnchor),
                content.heightAnchor.constraint(greaterThanOrEqualTo: scroll.frameLayoutGuide.heightAnchor),
                b.topAnchor.constraint(greaterThanOrEqualTo: a.bottomAnchor, constant: 10)
            )
        },
    ]

    static let directions = [
        GoldenLayout("leading and trailing from right to left") { sketch in
            let (a, b) = (sketch.add("a", 50, 20), sketch.add("b", 30, 20))
            sketch.hold(
                a.leadingAnchor.constraint(equalTo: sketch.root.leadingAnchor, constant: 12),
                b.leadingAnchor.constraint(equalTo: a.trailingAnchor, constant: 7),
                a.topAnchor.constraint(equalTo: sketch.root.topAnchor),
                b.topAnchor.constraint(equalTo: a.topAnchor)
            )
            sketch.goFromRightToLeft()
        },
        GoldenLayout("left and right stay from right to left") { sketch in
            let a = sketch.add("a")
            sketch.pin(a, left: 12, top: 0, right: 40, height: 20)
            sketch.goFromRightToLeft()
        },
        GoldenLayout("a row from right to left") { sketch in
            let stack = sketch.stack(.horizontal, .fill, .top, spacing: 5)
            sketch.pin(stack, left: 0, top: 0)
            sketch.goFromRightToLeft()
        },
        GoldenLayout("margins by the direction, from right to left") { sketch in
            let outer = sketch.add("outer")
            let a = sketch.add("a", to: outer)
            sketch.pin(outer, left: 0, top: 0, width: 200, height: 60)
            outer.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 1, leading: 20, bottom: 3, trailing: 40)
            let guide = outer.layoutMarginsGuide
            sketch.hold(
                a.topAnchor.constraint(equalTo: guide.topAnchor),
                a.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
                a.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
                a.bottomAnchor.constraint(equalTo: guide.bottomAnchor)
            )
            sketch.goFromRightToLeft()
        },
        GoldenLayout("a visual format with sizes and distances") { sketch in
            sketch.add("a")
            sketch.add("b")
            sketch.add("c")
            sketch.hold(["H:|-10-[a(80)]-gap-[b(==a)]-(>=5)-[c(40)]-20-|"], .alignAllTop, metrics: ["gap": 15])
            sketch.hold(["V:|-6-[a(20)]", "V:[b(30)]", "V:[c(10)]"])
        },
        GoldenLayout("a visual format with priorities") { sketch in
            sketch.add("a")
            sketch.add("b")
            sketch.hold(["H:|[a(200@300,>=50)][b(180@400)]|", "V:|[a(20)]", "V:|[b(20)]"])
        },
        GoldenLayout("a visual format in a column, whose views are as wide as it") { sketch in
            let outer = sketch.add("outer")
            sketch.add("a", to: outer)
            sketch.add("b", to: outer)
            sketch.pin(outer, left: 0, top: 0, width: 100, height: 100)
            sketch.hold(["V:|-[a]-[b(==a)]-|"], [.alignAllLeft, .alignAllRight])
            sketch.hold(["H:|-[a]-|"])
        },
        GoldenLayout("a visual format on one middle") { sketch in
            sketch.add("a", 30, 40)
            sketch.add("b", 30, 20)
            sketch.hold(["H:|-[a]-[b]"], .alignAllCenterY)
            sketch.hold(["V:|-12-[a]"])
        },
        GoldenLayout("a visual format from right to left") { sketch in
            sketch.add("a", 50, 20)
            sketch.add("b", 30, 20)
            sketch.hold(["H:|-10-[a]-5-[b]", "V:|[a]", "V:|[b]"])
            sketch.goFromRightToLeft()
        },
    ]
}
