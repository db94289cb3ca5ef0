// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Returns a place as text, such as `{1, 2}`.
public func NSStringFromCGPoint(_ point: CGPoint) -> String { text(point.x, point.y) }

/// Returns a size as text, such as `{1, 2}`.
public func NSStringFromCGSize(_ size: CGSize) -> String { text(size.width, size.height) }

/// Returns a rectangle as text, such as `{{1, 2}, {3, 4}}`.
public func NSStringFromCGRect(_ rect: CGRect) -> String {
    "{\(NSStringFromCGPoint(rect.origin)), \(NSStringFromCGSize(rect.size))}"
}

/// Apple's digits, as many as tell numbers apart; Foundation's own functions write `{1.0, 2.0}` on Linux.
private func text(_ first: CGFloat, _ second: CGFloat) -> String {
    String(format: "{%.17g, %.17g}", Double(first), Double(second))
}
