// SPDX-License-Identifier: Apache-2.0

/// The advances of characters in the two fonts with which the page draws the texts of scenes.
///
/// The numbers are those of the fonts' own tables: scripts/text-tables writes them and makes the fonts, both from
/// Inter. The fonts kern nothing and join nothing, so the width of a line is the sum of its advances.
enum TextAdvances {
    /// Units that a character advances; `nil` for one that the fonts do not have.
    static func units(of scalar: Unicode.Scalar, in face: TextFont.Face) -> Int? {
        guard let place = place(of: scalar.value) else { return nil }
        return Int(face == .regular ? regular[place] : semibold[place])
    }

    /// Units that a character with its marks advances if one character of the fonts is the same as all of them.
    static func units(ofComposed character: Character, in face: TextFont.Face) -> Int? {
        guard let place = placesOfComposed[character] else { return nil }
        return Int(face == .regular ? regular[place] : semibold[place])
    }

    private static func place(of code: UInt32) -> Int? {
        // The first range holds what most texts are made of.
        if code <= ranges[1] { return code < ranges[0] ? nil : Int(code - ranges[0]) }
        var low = 1
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[2 * middle + 1] < code { low = middle + 1 } else { high = middle }
        }
        guard low < starts.count, ranges[2 * low] <= code else { return nil }
        return starts[low] + Int(code - ranges[2 * low])
    }

    /// The place in the tables of the first character of each range.
    private static let starts: [Int] = {
        var starts: [Int] = []
        var next = 0
        for index in stride(from: 0, to: ranges.count, by: 2) {
            starts.append(next)
            next += Int(ranges[index + 1] - ranges[index]) + 1
        }
        return starts
    }()

    /// Places in the tables by character; characters that are written differently and are the same are equal in Swift.
    private static let placesOfComposed: [Character: Int] = {
        var places: [Character: Int] = [:]
        for (range, start) in starts.enumerated() {
            let codes = ranges[2 * range]...ranges[2 * range + 1]
            for (place, code) in zip(start..., codes) {
                guard let scalar = Unicode.Scalar(code), !scalar.properties.isGraphemeExtend else { continue }
                // A later one of two that are the same is a sign beside its letter, such as the ohm.
                if places[Character(scalar)] == nil { places[Character(scalar)] = place }
            }
        }
        return places
    }()
}
