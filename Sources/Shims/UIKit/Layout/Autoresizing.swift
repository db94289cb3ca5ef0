// SPDX-License-Identifier: Apache-2.0

import Foundation
import LayoutSolver

/// The rule of an autoresizing mask: who takes how much of what the view around becomes larger.
///
/// The room before, the size and the room behind share it where they are flexible, in proportion to what they have;
/// where none is flexible the room behind takes it.
/// Source: Apple, "autoresizingMask".
struct Autoresizing {
    private let mask: UIView.AutoresizingMask

    init(_ mask: UIView.AutoresizingMask) {
        self.mask = mask
    }

    /// One axis of a frame: the shares of a growth that the start and the size take.
    private struct Shares {
        var start: CGFloat
        var size: CGFloat

        init(_ lengths: (start: CGFloat, size: CGFloat, end: CGFloat), flexible: (Bool, Bool, Bool)) {
            let flexibles = [(lengths.start, flexible.0), (lengths.size, flexible.1), (lengths.end, flexible.2)]
            let count = flexibles.count { $0.1 }
            let sum = flexibles.reduce(0) { $0 + ($1.1 ? max(0, $1.0) : 0) }
            func share(_ length: CGFloat, _ isFlexible: Bool) -> CGFloat {
                guard isFlexible else { return 0 }
                return sum > 0 ? max(0, length) / sum : 1 / CGFloat(count)
            }
            start = share(lengths.start, flexible.0)
            size = share(lengths.size, flexible.1)
        }
    }

    private func horizontal(_ frame: CGRect, in width: CGFloat) -> Shares {
        Shares(
            (frame.minX, frame.width, width - frame.maxX),
            flexible: (
                mask.contains(.flexibleLeftMargin), mask.contains(.flexibleWidth), mask.contains(.flexibleRightMargin)
            )
        )
    }

    private func vertical(_ frame: CGRect, in height: CGFloat) -> Shares {
        Shares(
            (frame.minY, frame.height, height - frame.maxY),
            flexible: (
                mask.contains(.flexibleTopMargin), mask.contains(.flexibleHeight), mask.contains(.flexibleBottomMargin)
            )
        )
    }

    /// The frame in a view that has changed its size.
    func frame(_ frame: CGRect, from old: CGSize, to new: CGSize) -> CGRect {
        let (across, down) = (horizontal(frame, in: old.width), vertical(frame, in: old.height))
        let (dx, dy) = (new.width - old.width, new.height - old.height)
        return CGRect(
            x: frame.minX + across.start * dx,
            y: frame.minY + down.start * dy,
            width: max(0, frame.width + across.size * dx),
            height: max(0, frame.height + down.size * dy)
        )
    }

    /// The frame as equations with the box of the view around, which now has that size.
    func box(_ frame: CGRect, in outer: LayoutBox, of size: CGSize) -> LayoutBox {
        let (across, down) = (horizontal(frame, in: size.width), vertical(frame, in: size.height))
        let (dx, dy) = (outer.width - Double(size.width), outer.height - Double(size.height))
        return LayoutBox(
            x: outer.x + Self.part(across.start, of: dx) + Double(frame.minX),
            y: outer.y + Self.part(down.start, of: dy) + Double(frame.minY),
            width: Self.part(across.size, of: dx) + Double(frame.width),
            height: Self.part(down.size, of: dy) + Double(frame.height)
        )
    }

    /// Returns a share of an expression, without variables where it is 0.
    private static func part(_ share: CGFloat, of expression: LayoutExpression) -> LayoutExpression {
        share == 0 ? LayoutExpression() : expression * Double(share)
    }
}
