// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `CNError`.
public let CNErrorDomain = "CNErrorDomain"

// SAFETY: `userInfo` is written once, by `init`, and holds values that nobody changes afterwards.
/// An error of this module.
///
/// Errors are told apart by `code`; `catch CNError.authorizationDenied` works as on Apple's platforms.
/// Source: Apple, "CNError".
public struct CNError: CustomNSError, Hashable, @unchecked Sendable {
    /// The number of an error; the numbers are Apple's.
    public enum Code: Int, Sendable {
        /// The service of contacts does not answer.
        case communicationError = 1
        /// The service of contacts cannot read.
        case dataAccessError = 2
        /// The person does not allow it.
        case authorizationDenied = 100
        /// No container can be written.
        case noAccessableWritableContainers = 101
        /// Some keys are not allowed.
        case unauthorizedKeys = 102
        /// The person has switched it off.
        case featureDisabledByUser = 103
        /// The device cannot do it.
        case featureNotAvailable = 104
        /// No record is of that identifier.
        case recordDoesNotExist = 200
        /// The record is there already.
        case insertedRecordAlreadyExists = 201
        /// A group would be in itself.
        case containmentCycle = 202
        /// A group would be in another container.
        case containmentScope = 203
        /// The record above is not there.
        case parentRecordDoesNotExist = 204
        /// The identifier is none.
        case recordIdentifierInvalid = 205
        /// The record cannot be written.
        case recordNotWritable = 206
        /// The container cannot be written.
        case parentContainerNotWritable = 207
        /// Several values are wrong.
        case validationMultipleErrors = 300
        /// A value is of another type.
        case validationTypeMismatch = 301
        /// A value is not as it is set up.
        case validationConfigurationError = 302
        /// The predicate is none of contacts.
        case predicateInvalid = 400
        /// A rule of the device forbids it.
        case policyViolation = 500
        /// The identifier of the client is none.
        case clientIdentifierInvalid = 600
        /// The client is not known.
        case clientIdentifierDoesNotExist = 601
        /// Two clients have one identifier.
        case clientIdentifierCollision = 602
        /// The history is no longer there.
        case changeHistoryExpired = 603
        /// The place in the history is none.
        case changeHistoryInvalidAnchor = 604
        /// The request for the history is none.
        case changeHistoryInvalidFetchRequest = 605
        /// The card cannot be read.
        case vCardMalformed = 700
        /// The card cannot be summed up.
        case vCardSummarizationError = 701
    }

    /// `CNErrorDomain`.
    public static var errorDomain: String { CNErrorDomain }

    /// The kind of the error, by Apple's number.
    public let code: Code
    /// Further facts about the error, under Foundation's keys.
    public let userInfo: [String: Any]

    /// Takes a code and facts.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        (self.code, self.userInfo) = (code, userInfo)
    }

    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The same as `userInfo`, for `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }

    /// Two errors of one code are equal, whatever else they carry.
    public static func == (left: CNError, right: CNError) -> Bool { left.code == right.code }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CNError.Code {
    /// Lets a `catch` name the code alone.
    public static func ~= (code: CNError.Code, error: any Error) -> Bool { (error as? CNError)?.code == code }
}

extension CNError {
    /// `Code.authorizationDenied`.
    public static var authorizationDenied: Code { .authorizationDenied }
    /// `Code.communicationError`.
    public static var communicationError: Code { .communicationError }
    /// `Code.dataAccessError`.
    public static var dataAccessError: Code { .dataAccessError }
    /// `Code.recordDoesNotExist`.
    public static var recordDoesNotExist: Code { .recordDoesNotExist }
    /// `Code.unauthorizedKeys`.
    public static var unauthorizedKeys: Code { .unauthorizedKeys }
}
