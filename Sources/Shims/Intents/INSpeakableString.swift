// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Something that can be said aloud.
public protocol INSpeakable: NSObjectProtocol {
    /// The words to say.
    var spokenPhrase: String { get }
    /// A hint at the pronunciation of the words.
    var pronunciationHint: String? { get }
    /// The app's identifier of the words.
    var vocabularyIdentifier: String? { get }
}

// SAFETY: immutable after `init`.
/// The name of a group, with what Siri needs to say it.
open class INSpeakableString: NSObject, INSpeakable, NSCopying, @unchecked Sendable {
    /// The name.
    public let spokenPhrase: String
    /// Stored without effect.
    public let pronunciationHint: String?
    /// Stored without effect.
    public let vocabularyIdentifier: String?

    /// A name with what Siri needs to say it.
    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.vocabularyIdentifier = vocabularyIdentifier
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
    }

    /// A name.
    public init(spokenPhrase: String) {
        vocabularyIdentifier = nil
        self.spokenPhrase = spokenPhrase
        pronunciationHint = nil
    }

    /// Returns the string itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares the phrase and its identifier, not the hint for its pronunciation.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INSpeakableString else { return false }
        return spokenPhrase == other.spokenPhrase && vocabularyIdentifier == other.vocabularyIdentifier
    }

    /// The same for equal phrases.
    open override var hash: Int { spokenPhrase.hashValue }
}
