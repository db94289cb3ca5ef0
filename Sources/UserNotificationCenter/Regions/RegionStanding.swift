// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// One of the two sides of a region's border.
package enum RegionSide: Int64, Sendable, CaseIterable {
    case outside = 1
    case inside = 2
}

/// The crossing of a border, by the side on which it ends.
package enum RegionPassage: Sendable, Equatable, CaseIterable {
    case entry
    case exit
}

/// The side of a region on which its owner is known to be, and the other one if the last fix said so.
///
/// A border is crossed when two fixes in a row are beyond it. A fix that is too near to the border to tell says that
/// the owner is where it was. The first side that is known is no crossing.
package struct RegionStanding: Sendable, Equatable {
    /// `nil` means that nothing is known yet.
    package private(set) var side: RegionSide?
    /// The other side, after one fix that said so.
    package private(set) var doubt: RegionSide?

    /// Nothing is known, as of a region that was just added.
    package init() {}

    /// Takes the side that a fix shows, `nil` for one that shows none; returns the crossing that is certain now.
    package mutating func take(fix seen: RegionSide?) -> RegionPassage? {
        guard let seen, seen != side else {
            doubt = nil
            return nil
        }
        guard seen == doubt else {
            doubt = seen
            return nil
        }
        return settle(seen)
    }

    /// Takes the side that is certain; returns the crossing, if there is one.
    package mutating func settle(_ seen: RegionSide) -> RegionPassage? {
        doubt = nil
        guard seen != side else { return nil }
        defer { side = seen }
        guard side != nil else { return nil }
        return seen == .inside ? .entry : .exit
    }
}

// MARK: Stored

extension RegionStanding {
    /// Three times the side, and the doubt; 0 stands for none of each.
    package var code: Int64 { (side?.rawValue ?? 0) * 3 + (doubt?.rawValue ?? 0) }

    /// Reads what `code` wrote; any other number is one that knows nothing.
    package init(code: Int64) {
        guard (0...8).contains(code) else { return }
        side = RegionSide(rawValue: code / 3)
        doubt = RegionSide(rawValue: code % 3)
        if doubt == side { doubt = nil }
    }
}

extension RequestTrigger.Crossing {
    /// Tells whether a crossing in this direction fires the trigger.
    package func counts(_ passage: RegionPassage) -> Bool {
        switch passage {
        case .entry: onEntry
        case .exit: onExit
        }
    }
}
