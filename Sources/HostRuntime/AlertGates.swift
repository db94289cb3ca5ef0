// SPDX-License-Identifier: Apache-2.0

private import Locking

/// The apps whose alerts are off, as the readers of their notifications say: no service extension is started for them.
///
/// A reader that has never said anything leaves the extensions of its apps running. An app with several readers is shut
/// if each of them says so. What was said last is kept, and holds for the pushes that come before the reader does.
package final class AlertGates: Sendable {
    private struct Reader {
        /// The apps whose notifications it reads, of whichever owner.
        let topics: Set<String>
        var shut: Set<OwnedApp>
    }

    private let shelf: any GateShelf
    private let readers = Locked<[String: Reader]>([:])

    /// `shelf` keeps what readers say, over restarts.
    package init(shelf: any GateShelf) {
        self.shelf = shelf
    }

    /// Adds a reader of these topics, with what it said last to a former host.
    package func join(_ name: String, topics: Set<String>) {
        let kept = shelf.shutGates(of: name).filter { topics.contains($0.topic) }
        readers.withLock { $0[name] = Reader(topics: topics, shut: kept) }
    }

    /// True if no service extension runs for the owner's app.
    package func isShut(_ app: OwnedApp) -> Bool {
        readers.withLock { readers in
            let concerned = readers.values.lazy.filter { $0.topics.contains(app.topic) }
            return !concerned.isEmpty && concerned.allSatisfy { $0.shut.contains(app) }
        }
    }

    /// Takes all that a reader says: the apps that are shut, and no others.
    package func replace(by shut: Set<OwnedApp>, of name: String) async {
        await change(name) { $0 = shut }
    }

    /// Takes what has changed for a reader.
    package func change(shut: Set<OwnedApp>, open: Set<OwnedApp>, of name: String) async {
        await change(name) { $0 = $0.union(shut).subtracting(open) }
    }

    /// Holds at once, and is on the disk when the call returns; an app whose notifications the reader does not read is
    /// left out.
    private func change(_ name: String, _ body: (inout Set<OwnedApp>) -> Void) async {
        let shut = readers.withLock { readers -> Set<OwnedApp>? in
            guard var reader = readers[name] else { return nil }
            let former = reader.shut
            body(&reader.shut)
            reader.shut = reader.shut.filter { reader.topics.contains($0.topic) }
            readers[name] = reader
            return reader.shut == former ? nil : reader.shut
        }
        if let shut { await shelf.keep(shut, of: name) }
    }
}

/// Keeps the gates of each reader over restarts.
package protocol GateShelf: Sendable {
    /// The gates that were kept last; none if they cannot be read.
    func shutGates(of reader: String) -> Set<OwnedApp>

    /// Keeps these in place of the former ones. A disk that does not take them is told in the log: the next host then
    /// begins with what it has, until the reader is there.
    func keep(_ shut: Set<OwnedApp>, of reader: String) async
}
