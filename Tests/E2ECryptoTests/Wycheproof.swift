// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Project Wycheproof's files, where they stand beside the repository, and how they are run.
enum Wycheproof {
    struct File: Decodable {
        let testGroups: [Group]
    }

    struct Group: Decodable {
        let tests: [Case]
        /// Bits.
        let ivSize: Int?
        let tagSize: Int?
    }

    struct Case: Decodable {
        let tcId: Int
        let result: String
        let `public`: String?
        let `private`: String?
        let shared: String?
        let key: String?
        let iv: String?
        let aad: String?
        let msg: String?
        let ct: String?
        let tag: String?
        let ikm: String?
        let salt: String?
        let info: String?
        let size: Int?
        let okm: String?

        func bytes(_ field: KeyPath<Case, String?>) throws -> [UInt8] {
            try #require(self[keyPath: field].flatMap { unhex($0) }, "\(tcId)")
        }
    }

    /// The answer of a primitive to one case.
    enum Answer {
        /// A result; `isExpected` when it is the file's.
        case result(isExpected: Bool)
        case refused
        /// The primitive has no such thing.
        case skipped(String)
    }

    static let folder = PackageRoot.url.resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "shared/vectors/wycheproof")
    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }
    static let missing: Comment = "no ../shared/vectors/wycheproof beside the repository"

    /// Runs every case of a file: what is valid must give the file's result, what is invalid must not, and what is
    /// acceptable may be refused but not come out otherwise.
    ///
    /// Prints one line, and holds the number of cases and of skipped ones against what is known of the file.
    static func run(
        _ name: String,
        through primitive: String,
        count: Int,
        skipped: Int = 0,
        _ answer: (Group, Case) throws -> Answer
    ) throws {
        let data = try Data(contentsOf: folder.appending(path: "\(name)_test.json"))
        let groups = try JSONDecoder().decode(File.self, from: data).testGroups
        var ran = 0
        var reasons: [String: Int] = [:]
        for group in groups {
            for test in group.tests {
                switch try answer(group, test) {
                case .skipped(let reason):
                    reasons[reason, default: 0] += 1
                    continue
                case .result(let isExpected):
                    #expect(isExpected == (test.result != "invalid"), "\(name) \(test.tcId)")
                case .refused:
                    #expect(test.result != "valid", "\(name) \(test.tcId)")
                }
                ran += 1
            }
        }
        let omitted = reasons.values.reduce(0, +)
        let why = reasons.sorted { $0.key < $1.key }.map { " (\($0.value): \($0.key))" }.joined()
        print("wycheproof \(name) through \(primitive): \(ran) run, \(omitted) skipped, \(ran + omitted) total\(why)")
        #expect(ran + omitted == count)
        #expect(omitted == skipped)
    }
}
