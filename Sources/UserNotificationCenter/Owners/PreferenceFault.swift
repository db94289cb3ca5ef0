// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The reason for which members are no settings of an app or an owner.
///
/// A text in a fault is the key of a member, a constant of ours, and never what was written there.
package enum PreferenceFault: Error, Equatable {
    /// A text where a switch belongs, and the like.
    case wrongKind(String)
    /// A text that is none of the words that may stand there.
    case unknownWord(String)
    /// A text that is no time of a day or no date.
    case malformed(String)
    case missing(String)
    case tooMany(String, count: Int)
    /// A name without a byte, or with more than it may have.
    case badLength(String, byteCount: Int)
    /// Two elements of a list are one thing.
    case repeated(String)
    /// The beginning and the end of a part of the day are the same minute.
    case emptyRange
}

/// A reader of the members that are settings, each of which says what is wrong with it.
struct PreferenceReader {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// Reads a member that is one of a type's words; `nil` means that it is absent.
    func word<Word>(_ key: String) throws(PreferenceFault) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        guard let value = object[key] else { return nil }
        guard let text = value.string else { throw .wrongKind(key) }
        guard let word = Word.allCases.first(where: { text.isWord($0.rawValue) }) else { throw .unknownWord(key) }
        return word
    }

    /// Reads a member that is a minute of the day.
    func minute(_ key: String) throws(PreferenceFault) -> MinuteOfDay {
        guard let value = object[key] else { throw .missing(key) }
        guard let text = value.string else { throw .wrongKind(key) }
        guard let minute = MinuteOfDay(text) else { throw .malformed(key) }
        return minute
    }

    /// Reads a member that is a list of apps' topics; an absent one is an empty list.
    func topics(_ key: String) throws(PreferenceFault) -> Set<String> {
        guard let value = object[key] else { return [] }
        guard let list = value.array else { throw .wrongKind(key) }
        guard list.count <= CenterApp.limit else { throw .tooMany(key, count: list.count) }
        var topics: Set<String> = []
        for value in list {
            guard let topic = value.string else { throw .wrongKind(key) }
            let byteCount = topic.utf8.count
            guard CenterNames.topicByteCounts.contains(byteCount) else { throw .badLength(key, byteCount: byteCount) }
            guard topics.insert(topic).inserted else { throw .repeated(key) }
        }
        return topics
    }
}

extension Set<String> {
    /// The texts in a fixed order, so that equal sets are written alike.
    var json: JSON { .array(sorted().map(JSON.string)) }
}
