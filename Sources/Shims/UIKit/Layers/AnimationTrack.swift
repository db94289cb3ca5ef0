// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// The values of one property along an animation.
struct AnimationTrack {
    struct Point {
        /// Seconds from the beginning, or parts of the whole before it is scaled.
        var time: Double
        var value: [Double]
    }

    let property: AnimatedProperty
    private(set) var points: [Point]
    /// The pace of a way with two points.
    let curve: SceneMotion.Curve
    /// The paces from point to point.
    let partCurves: [SceneMotion.Curve]?
    /// True for values that jump.
    let isDiscrete: Bool

    /// The greatest turn that a page draws in one way: a third of a circle, as the shorter one is taken.
    private static let greatestTurn = 2 * Double.pi / 3
    private static let pieceLimit = 64

    init(
        property: AnimatedProperty,
        points: [Point],
        curve: SceneMotion.Curve,
        partCurves: [SceneMotion.Curve]?,
        isDiscrete: Bool
    ) {
        let whole = property == .rotation && !isDiscrete ? Self.inPieces(points) : points
        self.property = property
        self.points = whole
        // The pieces of a turn have one pace.
        self.curve = whole.count == points.count ? curve : .linear
        self.partCurves = whole.count == points.count ? partCurves : nil
        self.isDiscrete = isDiscrete
    }

    private static func inPieces(_ points: [Point]) -> [Point] {
        var pieces = Array(points.prefix(1))
        for (from, to) in zip(points, points.dropFirst()) {
            let turn = abs(to.value[0] - from.value[0])
            let count = Int(min(Double(pieceLimit), max(1, (turn / greatestTurn - 1e-9).rounded(.up))))
            for piece in 1...count {
                let part = Double(piece) / Double(count)
                pieces.append(.between(from, to, at: from.time + (to.time - from.time) * part))
            }
        }
        return pieces
    }

    /// The track in a time of so many seconds.
    func scaled(to seconds: Double) -> AnimationTrack {
        var track = self
        track.points = points.map { Point(time: $0.time * seconds, value: $0.value) }
        return track
    }

    /// The track that begins later.
    func delayed(by seconds: Double) -> AnimationTrack {
        var track = self
        track.points = points.map { Point(time: $0.time + seconds, value: $0.value) }
        return track
    }

    /// The value at a time; before the first and behind the last point it is theirs.
    func value(at time: Double) -> [Double] {
        guard let next = points.firstIndex(where: { $0.time >= time }) else { return points.last?.value ?? [] }
        guard next > 0 else { return points[0].value }
        if isDiscrete { return points[next].time == time ? points[next].value : points[next - 1].value }
        return Point.between(points[next - 1], points[next], at: time).value
    }

    /// The pace of the way that ends at a point of time.
    func curve(to time: Double) -> SceneMotion.Curve {
        guard let index = points.firstIndex(where: { $0.time >= time - 1e-9 }), index > 0 else { return .linear }
        if let partCurves, partCurves.indices.contains(index - 1) { return partCurves[index - 1] }
        return points.count == 2 ? curve : .linear
    }
}

extension AnimationTrack.Point {
    fileprivate static func between(
        _ from: AnimationTrack.Point,
        _ to: AnimationTrack.Point,
        at time: Double
    ) -> AnimationTrack.Point {
        guard to.time > from.time else { return AnimationTrack.Point(time: time, value: to.value) }
        let part = (time - from.time) / (to.time - from.time)
        return AnimationTrack.Point(
            time: time,
            value: zip(from.value, to.value).map { $0 + ($1 - $0) * part }
        )
    }
}
