// SPDX-License-Identifier: Apache-2.0

/// A visual format as it is written: views in a row or a column, and what stands between them.
///
/// Source: Apple, "Auto Layout Guide", "Visual Format Language".
struct VisualFormat: Equatable {
    /// A number, or a name that stands for one.
    enum Amount: Equatable {
        case number(Double)
        case name(String)
    }

    /// One condition of a size or a distance.
    struct Predicate: Equatable {
        var relation = NSLayoutConstraint.Relation.equal
        var amount: Amount
        var priority: Amount?
        /// The place in the format at which the amount begins, in characters.
        var place: Int
        /// The place at which the priority begins.
        var priorityPlace: Int
    }

    /// The part between two views, or between a view and the edge.
    enum Connection: Equatable {
        /// Nothing: the edges touch.
        case none
        /// A line alone: the standard distance.
        case standard
        case predicates([Predicate])
    }

    /// A view with the conditions of its size.
    struct Box: Equatable {
        var name: String
        var predicates: [Predicate]
        var place: Int
    }

    var axis = NSLayoutConstraint.Axis.horizontal
    /// The part between the edge of the view around and the first view; `nil` without an edge.
    var leading: Connection?
    /// The place of that edge.
    var leadingPlace = 0
    var boxes: [Box] = []
    /// The parts behind each view but the last.
    var connections: [Connection] = []
    /// The part between the last view and the edge of the view around; `nil` without an edge.
    var trailing: Connection?
    /// The place of that edge.
    var trailingPlace = 0
}

/// A visual format that says nothing that constraints can be made of.
struct VisualFormatError: Error, Equatable, CustomStringConvertible {
    let format: String
    /// The place of the fault, in characters.
    let place: Int
    /// The thing that is expected or missing there.
    let reason: String

    /// The format with a mark under the place, as a message of iOS has it.
    var description: String {
        """
        cannot make constraints of a visual format: \(reason)
        \(format)
        \(String(repeating: " ", count: place))^
        """
    }
}
