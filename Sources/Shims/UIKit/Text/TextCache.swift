// SPDX-License-Identifier: Apache-2.0

import Foundation
import TextLayout

/// The lines of a label's text for the rooms in which it was broken last, so that a drawing breaks nothing anew.
///
/// A value is for one text in one font: a label whose text or font changes begins with a new one.
@MainActor struct TextCache {
    private struct Entry {
        let room: TextRoom
        let factor: CGFloat
        let block: TextBlock
    }

    private struct Fitting {
        let room: TextRoom
        let least: CGFloat
        let factor: CGFloat
    }

    /// The rooms that one layout and one drawing ask for, twice.
    private static let limit = 8
    /// The texts that were broken in this process, so that a test sees that a drawing needs none.
    private(set) static var brokenCount = 0

    private var text: LabelText?
    private var entries: [Entry] = []
    private var fittings: [Fitting] = []

    /// The text with its looks, which is made when it is first asked for.
    mutating func looks(_ make: () -> LabelText) -> LabelText {
        if let text { return text }
        let made = make()
        text = made
        return made
    }

    /// The text in lines, in larger or smaller fonts.
    mutating func broken(_ text: LabelText, by factor: CGFloat = 1, in room: TextRoom) -> TextBlock {
        if let found = entries.first(where: { $0.room == room && $0.factor == factor }) { return found.block }
        Self.brokenCount += 1
        let block = text.broken(in: room)
        entries = entries.suffix(Self.limit - 1) + [Entry(room: room, factor: factor, block: block)]
        return block
    }

    /// The factor by which the fonts become smaller so that the text fits the room.
    mutating func factor(_ text: LabelText, in room: TextRoom, least: CGFloat) -> CGFloat {
        if let found = fittings.first(where: { $0.room == room && $0.least == least }) { return found.factor }
        let factor = text.factor(in: room, least: least)
        fittings = fittings.suffix(Self.limit - 1) + [Fitting(room: room, least: least, factor: factor)]
        return factor
    }
}
