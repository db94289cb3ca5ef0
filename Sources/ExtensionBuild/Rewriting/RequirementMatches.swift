// SPDX-License-Identifier: Apache-2.0

/// Finds the classes that have what protocols let them leave out.
///
/// Requirements are looked up by protocol and title, so that a class costs as much as it has members; the matches of
/// all classes together have a limit.
struct RequirementMatches {
    /// A requirement that classes may leave out.
    struct Request {
        let protocolPath: String
        let wanted: WantedMember
        /// True for one of Apple's protocols, which Swift itself asks the class that names the protocol.
        let isKnown: Bool
    }

    /// A class that has what a requirement asks for.
    struct Match {
        let path: String
        let conformer: Conformances.Conformer
        let member: ClassMembers.Member
        /// False for a class that has the member from above.
        let isOwn: Bool
    }

    /// The members of all classes that may answer requirements; far more than any extension has.
    static let limit = 1 << 16

    /// The classes that have to get what stands for each request: those with a member of their own, superclasses first,
    /// then the others by name.
    private(set) var matches: [[Match]]
    /// The class at which the limit was reached, from which on nothing is looked at.
    private(set) var end: String?

    private typealias Requests = [String: [WantedMember.Kind: [Int]]]
    private typealias Found = (request: Int, member: ClassMembers.Member)

    private struct Pair: Hashable {
        let type: String
        let protocolPath: String
    }

    private struct Mark: Hashable {
        let request: Int
        let type: String
    }

    private let index: SourceIndex
    private let members: ClassMembers
    private let requests: [Request]
    /// The requests by protocol, title and kind.
    private var table: [String: Requests] = [:]
    /// The members that classes without a protocol have for classes below them that name it.
    private var inherited: [Pair: [Found]] = [:]
    /// The superclasses that, with all above them, have nothing for a protocol.
    private var barren: Set<Pair> = []
    private var marks: Set<Mark> = []
    private var count = 0

    init(_ requests: [Request], _ index: SourceIndex, _ conformances: Conformances) {
        self.index = index
        self.requests = requests
        members = ClassMembers(index.sources)
        matches = requests.map { _ in [] }
        for (number, request) in requests.enumerated() {
            table[request.protocolPath, default: [:]][request.wanted.title, default: [:]][
                request.wanted.kind,
                default: []
            ].append(number)
        }
        for path in conformances.classes where end == nil {
            let conformers = conformances.conformers(of: path)
            guard !conformers.isEmpty else { continue }
            let above = Array(index.ancestry(of: path).dropFirst())
            for (name, conformer) in conformers.sorted(by: { $0.key < $1.key }) {
                add(path, above, name, conformer)
                guard end == nil else { break }
            }
        }
        for number in matches.indices {
            let (own, others) = (matches[number].filter(\.isOwn), matches[number].filter { !$0.isOwn })
            matches[number] = own + others.sorted { $0.path < $1.path }
        }
    }

    private mutating func add(
        _ path: String,
        _ above: [String],
        _ protocolPath: String,
        _ conformer: Conformances.Conformer
    ) {
        for (request, member) in found(in: path, of: protocolPath) {
            guard takes(path) else { return }
            let isKnown = requests[request].isKnown
            let isNew =
                isKnown
                ? !above.contains { hasMember(request, $0) }
                : !above.contains { marks.contains(Mark(request: request, type: $0)) }
            if !isKnown { marks.insert(Mark(request: request, type: path)) }
            // The first class with one of Apple's protocols, and one above it, are asked by Swift itself.
            guard isNew, !isKnown || !member.isOverride && conformer.path != path else { continue }
            matches[request].append(Match(path: path, conformer: conformer, member: member, isOwn: true))
        }
        // The first class with the protocol may have the member from above.
        guard conformer.path == path, let superclass = above.first else { return }
        let nearest = Pair(type: superclass, protocolPath: protocolPath)
        guard !barren.contains(nearest) else { return }
        let inherited = above.map { inheritable(from: $0, of: protocolPath) }
        if inherited.allSatisfy(\.isEmpty) { barren.insert(nearest) }
        for found in inherited {
            for (request, member) in found {
                guard takes(path) else { return }
                guard !requests[request].isKnown, marks.insert(Mark(request: request, type: path)).inserted else {
                    continue
                }
                matches[request].append(Match(path: path, conformer: conformer, member: member, isOwn: false))
            }
        }
    }

    /// Counts one match; false beyond the limit.
    private mutating func takes(_ path: String) -> Bool {
        count += 1
        if count > Self.limit { end = path }
        return end == nil
    }

    private func hasMember(_ request: Int, _ path: String) -> Bool {
        ClassMembers.member(requests[request].wanted, in: members.table(of: path)) != nil
    }

    private mutating func inheritable(from path: String, of protocolPath: String) -> [Found] {
        let pair = Pair(type: path, protocolPath: protocolPath)
        if let known = inherited[pair] { return known }
        let found = found(in: path, of: protocolPath)
        inherited[pair] = found
        return found
    }

    /// The requests for which a class has a member; the shorter one of the two lists is walked.
    private func found(in path: String, of protocolPath: String) -> [Found] {
        let own = members.table(of: path)
        guard !own.isEmpty, let asked = table[protocolPath] else { return [] }
        let titles =
            own.count < asked.count ? own.keys.filter { asked[$0] != nil } : asked.keys.filter { own[$0] != nil }
        return titles.flatMap { title in
            (asked[title] ?? [:]).filter { own[title]?[$0.key] != nil }.flatMap(\.value).compactMap { request in
                ClassMembers.member(requests[request].wanted, in: own).map { (request, $0) }
            }
        }
    }
}
