// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A part of a list that is too long for one packet.
///
/// The packets of a list are numbered from 0 in their ids; the last of them says so, and the next list begins with 0.
package struct Piece<Content: Sendable & Equatable>: Sendable, Equatable {
    package var number: UInt64
    package var isLast: Bool
    package var content: Content

    package init(number: UInt64, isLast: Bool, content: Content) {
        self.number = number
        self.isLast = isLast
        self.content = content
    }

    /// Numbers the contents of a list; an empty list is one piece without anything.
    static func all(_ contents: [Content], empty: Content) -> [Piece] {
        let contents = contents.isEmpty ? [empty] : contents
        return contents.enumerated().map { index, content in
            Piece(number: UInt64(index), isLast: index == contents.count - 1, content: content)
        }
    }
}

/// Cuts a list into runs whose JSON fits a packet.
enum PieceCutter {
    /// A packet's longest body, less the braces and names around the lists.
    static let room = LinkMessageType.maximumByteCount - PacketHeader.byteCount - 256

    /// `nil` stands for an element that fits no packet by itself.
    static func runs<Element>(_ elements: [Element], atMost limit: Int, _ json: (Element) -> JSON) -> [[Element]]? {
        var runs: [[Element]] = []
        var byteCount = 0
        for element in elements {
            var bytes: [UInt8] = []
            json(element).write(to: &bytes)
            guard bytes.count < room else { return nil }
            byteCount += bytes.count + 1
            if byteCount <= room, let last = runs.last, last.count < limit {
                runs[runs.count - 1].append(element)
            } else {
                runs.append([element])
                byteCount = bytes.count + 1
            }
        }
        return runs
    }
}

extension LinkRegistry {
    /// The pieces in which a registry is sent; `nil` means that an owner or an app fits no packet.
    package var pieces: [Piece<LinkRegistry>]? {
        guard let owners = PieceCutter.runs(owners, atMost: CenterOwner.limit, \.json),
            let apps = PieceCutter.runs(apps, atMost: CenterApp.limit, \.json)
        else { return nil }
        let contents = owners.map { LinkRegistry(owners: $0) } + apps.map { LinkRegistry(apps: $0) }
        return Piece.all(contents, empty: LinkRegistry())
    }
}

extension GateList {
    /// The pieces in which gates are sent; `nil` means that a gate fits no packet.
    package var pieces: [Piece<GateList>]? {
        let limit = GateList.pieceLimit
        guard let shut = PieceCutter.runs(shut, atMost: limit, \.json),
            let open = PieceCutter.runs(open, atMost: limit, \.json)
        else { return nil }
        let contents =
            shut.map { GateList(isWhole: isWhole, shut: $0) } + open.map { GateList(isWhole: isWhole, open: $0) }
        return Piece.all(contents, empty: GateList(isWhole: isWhole))
    }
}
