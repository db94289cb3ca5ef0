// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CLLocationCoordinate2D {
    private static let radius = 6_378_137.0
    private static let flattening = 1 / 298.257223563

    /// Metres of the shortest way on the ellipsoid WGS 84, right to less than a millimetre.
    ///
    /// Opposite points, for which the series does not settle, are measured on a sphere. A coordinate that is no number
    /// has no distance: the result is no number either.
    /// Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 176, 1975.
    func geodesic(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        let all = [latitude, longitude, other.latitude, other.longitude]
        guard all.allSatisfy(\.isFinite) else { return .nan }
        let radians = Double.pi / 180
        let apart = (other.longitude - longitude).remainder(dividingBy: 360) * radians
        let one = atan((1 - Self.flattening) * tan(latitude * radians))
        let two = atan((1 - Self.flattening) * tan(other.latitude * radians))
        let (sine1, cosine1, sine2, cosine2) = (sin(one), cos(one), sin(two), cos(two))
        var lambda = apart
        for _ in 0..<100 {
            let across = cosine2 * sin(lambda)
            let along = cosine1 * sine2 - sine1 * cosine2 * cos(lambda)
            let sine = (across * across + along * along).squareRoot()
            if sine == 0 { return 0 }
            let cosine = sine1 * sine2 + cosine1 * cosine2 * cos(lambda)
            let angle = atan2(sine, cosine)
            let azimuth = cosine1 * cosine2 * sin(lambda) / sine
            let square = 1 - azimuth * azimuth
            // A way along the equator has no middle between north and south.
            let middle = square > 1e-15 ? cosine - 2 * sine1 * sine2 / square : 0
            let part = Self.flattening / 16 * square * (4 + Self.flattening * (4 - 3 * square))
            let turn = middle + part * cosine * (2 * middle * middle - 1)
            let next = apart + (1 - part) * Self.flattening * azimuth * (angle + part * sine * turn)
            let isSettled = abs(next - lambda) < 1e-12
            lambda = next
            guard isSettled else { continue }
            return Self.length(angle, sine, cosine, middle, square)
        }
        return distance(to: other)
    }

    private static func length(
        _ angle: Double,
        _ sine: Double,
        _ cosine: Double,
        _ middle: Double,
        _ square: Double
    ) -> Double {
        let minor = radius * (1 - flattening)
        let u = square * (radius * radius - minor * minor) / (minor * minor)
        let a = 1 + u / 16_384 * (4_096 + u * (u * (320 - 175 * u) - 768))
        let b = u / 1_024 * (256 + u * (u * (74 - 47 * u) - 128))
        let first = cosine * (2 * middle * middle - 1)
        let second = b / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
        return minor * a * (angle - b * sine * (middle + b / 4 * (first - second)))
    }
}
