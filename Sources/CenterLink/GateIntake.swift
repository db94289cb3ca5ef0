// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking

/// Puts the pieces of a centre's lists of gates together, and has each complete list take effect.
///
/// The link bounds a list, and the order of its pieces is judged there.
final class GateIntake: Sendable {
    private struct State {
        /// The list whose pieces come; `nil` between two lists.
        var gathering: GateList?
        var complete: [GateList] = []
    }

    private let gates: AlertGates
    private let reader: String
    private let state = Locked(State())

    /// `reader` is the name of the centre's stream.
    init(_ gates: AlertGates, of reader: String) {
        self.gates = gates
        self.reader = reader
    }

    func add(_ piece: Piece<GateList>) {
        state.withLock { state in
            var list = state.gathering ?? GateList(isWhole: piece.content.isWhole)
            list.shut += piece.content.shut
            list.open += piece.content.open
            state.gathering = piece.isLast ? nil : list
            if piece.isLast { state.complete.append(list) }
        }
    }

    /// Has the lists that are complete take effect, in their order; they are on the disk when the call returns.
    func settle() async {
        let lists = state.withLock { state in
            defer { state.complete = [] }
            return state.complete
        }
        for list in lists {
            let shut = Self.apps(list.shut)
            if list.isWhole {
                await gates.replace(by: shut, of: reader)
            } else {
                await gates.change(shut: shut, open: Self.apps(list.open), of: reader)
            }
        }
    }

    private static func apps(_ gates: [Gate]) -> Set<OwnedApp> {
        Set(gates.lazy.map { OwnedApp(topic: $0.topic, owner: $0.owner) })
    }
}
