// SPDX-License-Identifier: Apache-2.0

/// A format whose secret is not a key pair of ours, but a line in the key file in its own system's notation.
///
/// The line is the format's name, a colon, a space and words.
/// Source: FORMAT.md, "Key files".
protocol SharedSecretFormat: SealedFormat {
    /// The number of bytes that one secret takes in the arena.
    static var secretByteCount: Int { get }
    /// The notation of a secret in its line, for a person whose line is wrong.
    static var secretNotation: String { get }
    /// Reads the words of a line, without white space at their ends, into `output`; false when they are something
    /// else.
    static func readSecret(_ words: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Bool
    /// The words of a secret that is public, under which the known answers are sealed.
    static var publishedSecret: String { get }
    /// The words of another secret, under which no known answer opens.
    static var strangersSecret: String { get }
}

extension SealedFormats {
    static let withSharedSecret = all.compactMap { $0 as? any SharedSecretFormat.Type }
}
