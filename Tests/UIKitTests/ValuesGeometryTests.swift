// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UIKit

struct ValuesGeometryTests {
    private func isNear(_ left: CGAffineTransform, _ right: CGAffineTransform) -> Bool {
        zip(left.sceneNumbers, right.sceneNumbers).allSatisfy { abs($0 - $1) < 1e-9 }
    }

    private func isNear(_ left: CATransform3D, _ right: CATransform3D) -> Bool {
        let numbers = { (t: CATransform3D) in
            [
                t.m11, t.m12, t.m13, t.m14, t.m21, t.m22, t.m23, t.m24, t.m31, t.m32, t.m33, t.m34, t.m41, t.m42, t.m43,
                t.m44,
            ]
        }
        return zip(numbers(left), numbers(right)).allSatisfy { abs($0 - $1) < 1e-9 }
    }

    @Test func `insets take from the sides`() {
        let insets = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(
            CGRect(x: 10, y: 10, width: 20, height: 20).inset(by: insets) == CGRect(x: 12, y: 11, width: 14, height: 16)
        )
        let outwards = UIEdgeInsets(top: -1, left: -1, bottom: -1, right: -1)
        #expect(CGRect.zero.inset(by: outwards) == CGRect(x: -1, y: -1, width: 2, height: 2))
        #expect(insets == UIEdgeInsetsMake(1, 2, 3, 4) && insets != .zero && UIEdgeInsets() == .zero)
        let directional = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        #expect(directional != .zero && NSDirectionalEdgeInsets() == .zero && directional.trailing == 4)
        #expect(UIOffset(horizontal: 0, vertical: 0) == .zero && UIOffset(horizontal: 1, vertical: 2).vertical == 2)
        #expect(Set([insets, insets, .zero]).count == 2)
    }

    @Test func `sides and corners are Apple's bits`() {
        let edges: [UIRectEdge] = [.top, .left, .bottom, .right, .all]
        #expect(edges.map(\.rawValue) == [1, 2, 4, 8, 15])
        let directional: [NSDirectionalRectEdge] = [.top, .leading, .bottom, .trailing, .all]
        #expect(directional.map(\.rawValue) == [1, 2, 4, 8, 15])
        let corners: [UIRectCorner] = [.topLeft, .topRight, .bottomLeft, .bottomRight]
        #expect(corners.map(\.rawValue) == [1, 2, 4, 8])
        #expect(UIRectCorner.allCorners.isSuperset(of: [.topLeft, .bottomRight]))
    }

    @Test func `a transform moves, scales and turns points`() {
        let point = CGPoint(x: 2, y: 3)
        #expect(point.applying(CGAffineTransform(translationX: 10, y: 20)) == CGPoint(x: 12, y: 23))
        #expect(point.applying(CGAffineTransform(scaleX: 2, y: -1)) == CGPoint(x: 4, y: -3))
        let turned = point.applying(CGAffineTransform(rotationAngle: .pi / 2))
        #expect(abs(turned.x + 3) < 1e-12 && abs(turned.y - 2) < 1e-12)
        #expect(
            CGSize(width: 2, height: 3).applying(CGAffineTransform(2, 0, 0, 4, 9, 9)) == CGSize(width: 4, height: 12)
        )
        #expect(CGAffineTransform().sceneNumbers == [0, 0, 0, 0, 0, 0])
        #expect(CGAffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6).sceneNumbers == [1, 2, 3, 4, 5, 6])
        #expect(CGAffineTransform.identity.isIdentity && !CGAffineTransform(translationX: 1, y: 0).isIdentity)
    }

    @Test func `of two transforms the one before is done first`() {
        let (move, scale) = (CGAffineTransform(translationX: 10, y: 0), CGAffineTransform(scaleX: 2, y: 2))
        #expect(CGPoint.zero.applying(move.concatenating(scale)) == CGPoint(x: 20, y: 0))
        #expect(CGPoint.zero.applying(scale.concatenating(move)) == CGPoint(x: 10, y: 0))
        #expect(scale.translatedBy(x: 10, y: 0) == move.concatenating(scale))
        #expect(move.scaledBy(x: 2, y: 2) == scale.concatenating(move))
        #expect(move.rotated(by: 1) == CGAffineTransform(rotationAngle: 1).concatenating(move))
    }

    @Test func `a transform is undone by its inverse, unless nothing does`() {
        let all = CGAffineTransform(rotationAngle: 1).scaledBy(x: 2, y: 3).translatedBy(x: 4, y: 5)
        #expect(isNear(all.concatenating(all.inverted()), .identity))
        #expect(isNear(all.inverted().concatenating(all), .identity))
        let flat = CGAffineTransform(scaleX: 0, y: 1)
        #expect(flat.inverted() == flat)
    }

    @Test func `a transform of a rectangle is the upright one around it`() {
        let rectangle = CGRect(x: 0, y: 0, width: 10, height: 20)
        let mirrored = rectangle.applying(CGAffineTransform(scaleX: -1, y: 2))
        #expect(mirrored == CGRect(x: -10, y: 0, width: 10, height: 40))
        let turned = rectangle.applying(CGAffineTransform(rotationAngle: .pi / 2))
        #expect(abs(turned.minX + 20) < 1e-9 && abs(turned.width - 20) < 1e-9 && abs(turned.height - 10) < 1e-9)
        #expect(CGRect.null.applying(.identity).isNull && CGRect.infinite.applying(.identity).isInfinite)
    }

    @Test func `a transform of space keeps its part of the plane`() {
        let plane = CGAffineTransform(1, 2, 3, 4, 5, 6)
        let space = CATransform3DMakeAffineTransform(plane)
        #expect(CATransform3DGetAffineTransform(space) == plane && space.plane == plane)
        #expect(CATransform3DIsAffine(space))
        #expect(CATransform3DIsIdentity(CATransform3DIdentity) && !CATransform3DIsIdentity(space))
        let turned = CATransform3DMakeRotation(1, 0, 0, 5)
        #expect(isNear(turned.plane, CGAffineTransform(rotationAngle: 1)))
        #expect(CATransform3DMakeTranslation(1, 2, 3).plane == CGAffineTransform(translationX: 1, y: 2))
        #expect(!CATransform3DIsAffine(CATransform3DMakeTranslation(1, 2, 3)))
        #expect(CATransform3DMakeRotation(1, 0, 0, 0) == CATransform3DIdentity)
        var perspective = CATransform3DIdentity
        perspective.m34 = -1 / 500
        let card = CATransform3DRotate(perspective, .pi / 3, 0, 1, 0)
        #expect(isNear(card.plane, CGAffineTransform(scaleX: 0.5, y: 1)))
        #expect(!CATransform3DIsAffine(card))
    }

    @Test func `transforms of space follow each other and are undone`() {
        let move = CATransform3DMakeTranslation(1, 2, 3)
        let scale = CATransform3DMakeScale(2, 3, 4)
        #expect(CATransform3DConcat(move, scale).m41 == 2 && CATransform3DConcat(scale, move).m41 == 1)
        #expect(CATransform3DTranslate(scale, 1, 2, 3) == CATransform3DConcat(move, scale))
        #expect(CATransform3DScale(move, 2, 3, 4) == CATransform3DConcat(scale, move))
        let turned = CATransform3DRotate(CATransform3DConcat(move, scale), 1, 1, 2, 3)
        #expect(isNear(CATransform3DConcat(turned, CATransform3DInvert(turned)), CATransform3DIdentity))
        #expect(CATransform3DInvert(CATransform3D()) == CATransform3D())
        #expect(CATransform3DEqualToTransform(move, move) && !CATransform3DEqualToTransform(move, scale))
    }

    @Test func `a rectangle has the helpers of Core Graphics`() {
        let rectangle = CGRect(x: 0.5, y: 0.5, width: 10, height: 10)
        #expect(rectangle.insetBy(dx: 1, dy: 2) == CGRect(x: 1.5, y: 2.5, width: 8, height: 6))
        #expect(rectangle.offsetBy(dx: 1, dy: 2) == CGRect(x: 1.5, y: 2.5, width: 10, height: 10))
        #expect(rectangle.integral == CGRect(x: 0, y: 0, width: 11, height: 11))
        #expect(rectangle.union(.zero) == CGRect(x: 0, y: 0, width: 10.5, height: 10.5))
        #expect(rectangle.intersection(CGRect(x: 5, y: 5, width: 50, height: 1)).width == 5.5)
        #expect(rectangle.divided(atDistance: 4, from: .minXEdge).remainder.width == 6)
        #expect(NSStringFromCGRect(CGRect(x: 1, y: 2, width: 3, height: 4)) == "{{1, 2}, {3, 4}}")
        #expect(NSStringFromCGPoint(CGPoint(x: 1, y: 2)) == "{1, 2}" && NSStringFromCGSize(.zero) == "{0, 0}")
        #expect(CGVector() == .zero && CGVector(dx: 1, dy: 2).dy == 2)
    }
}
