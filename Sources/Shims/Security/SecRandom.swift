// SPDX-License-Identifier: Apache-2.0

/// A source of random bytes; there is one.
public final class SecRandom: Sendable {}

/// A source of random bytes.
public typealias SecRandomRef = SecRandom

/// The system's source.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Fills the bytes with random ones of the system; `errSecSuccess`, or `errSecParam` without a place for them.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer?) -> Int32 {
    guard let bytes, count >= 0 else { return errSecParam }
    // The system's generator: getrandom(2).
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count {
        unsafe bytes.storeBytes(
            of: UInt8.random(in: .min ... .max, using: &generator),
            toByteOffset: index,
            as: UInt8.self
        )
    }
    return errSecSuccess
}
