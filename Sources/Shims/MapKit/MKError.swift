// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `MKError`.
public let MKErrorDomain = "MKErrorDomain"

// SAFETY: `userInfo` is written once, by `init`, and holds values that nobody changes afterwards.
/// An error of this module.
///
/// Errors are told apart by `code`; `catch MKError.serverFailure` works as on Apple's platforms.
/// Source: Apple, "MKError".
public struct MKError: CustomNSError, Hashable, @unchecked Sendable {
    /// The number of an error; the numbers are Apple's.
    public enum Code: UInt, Sendable {
        /// Nobody knows.
        case unknown = 1
        /// The server of maps does not answer, as here.
        case serverFailure
        /// Too many requests.
        case loadingThrottled
        /// Nothing is at the place.
        case placemarkNotFound
        /// There are no directions.
        case directionsNotFound
        /// The shapes of the file cannot be read.
        case decodingFailed
    }

    /// `MKErrorDomain`.
    public static var errorDomain: String { MKErrorDomain }

    /// The kind of the error, by Apple's number.
    public let code: Code
    /// Further facts about the error, under Foundation's keys.
    public let userInfo: [String: Any]

    /// Takes a code and facts.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        (self.code, self.userInfo) = (code, userInfo)
    }

    /// The number of `code`.
    public var errorCode: Int { Int(code.rawValue) }
    /// The same as `userInfo`, for `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// Two errors of one code are equal, whatever else they carry.
    public static func == (left: MKError, right: MKError) -> Bool { left.code == right.code }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension MKError.Code {
    /// Lets a `catch` name the code alone.
    public static func ~= (code: MKError.Code, error: any Error) -> Bool { (error as? MKError)?.code == code }
}

extension MKError {
    /// `Code.unknown`.
    public static var unknown: Code { .unknown }
    /// `Code.serverFailure`.
    public static var serverFailure: Code { .serverFailure }
    /// `Code.loadingThrottled`.
    public static var loadingThrottled: Code { .loadingThrottled }
    /// `Code.placemarkNotFound`.
    public static var placemarkNotFound: Code { .placemarkNotFound }
    /// `Code.directionsNotFound`.
    public static var directionsNotFound: Code { .directionsNotFound }
    /// `Code.decodingFailed`.
    public static var decodingFailed: Code { .decodingFailed }
}
