// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The domain of `UNError`.
public let UNErrorDomain = "UNErrorDomain"

// SAFETY: `userInfo` is written once, by `init`, and holds values that nobody changes afterwards.
/// An error that this module throws or hands to completion handlers.
///
/// Errors are told apart by `code`; `catch UNError.attachmentInvalidURL` works as on Apple's platforms.
public struct UNError: CustomNSError, @unchecked Sendable {
    /// The number of an error; the numbers are Apple's.
    public enum Code: Int, Sendable {
        /// The user or the system does not allow it.
        case notificationsNotAllowed = 1
        /// No file URL, or nothing at it.
        case attachmentInvalidURL = 100
        /// No type that can be attached: neither the type hint nor the file extension names one.
        case attachmentUnrecognizedType = 101
        /// Empty, or above the limit of its kind.
        case attachmentInvalidFileSize = 102
        /// The store of attachments does not hold the file.
        case attachmentNotInDataStore = 103
        /// The file could not be moved into the store of attachments.
        case attachmentMoveIntoDataStoreFailed = 104
        /// The file's bytes are not of its type.
        case attachmentCorrupt = 105
        /// The trigger never fires.
        case notificationInvalidNoDate = 1400
        /// No text, sound, badge or attachment.
        case notificationInvalidNoContent = 1401
        /// The object may not provide content here.
        case contentProvidingObjectNotAllowed = 1500
        /// The object's content cannot be used.
        case contentProvidingInvalid = 1501
        /// A badge below zero.
        case badgeInputInvalid = 1600
    }

    /// `UNErrorDomain`.
    public static var errorDomain: String { UNErrorDomain }

    /// The kind of the error, by Apple's number.
    public let code: Code
    /// Further facts about the error, under Foundation's keys.
    public let userInfo: [String: Any]

    /// Apple's own errors carry a description in `userInfo`; ours need none.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The same as `userInfo`, for `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }
}

extension UNError: Hashable {
    /// Two errors of one code are equal, whatever else they carry.
    public static func == (left: UNError, right: UNError) -> Bool { left.code == right.code }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension UNError.Code {
    /// Lets a `catch` name the code alone.
    public static func ~= (code: UNError.Code, error: any Error) -> Bool {
        (error as? UNError)?.code == code
    }
}

extension UNError {
    /// `Code.notificationsNotAllowed`.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// `Code.attachmentInvalidURL`.
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    /// `Code.attachmentUnrecognizedType`.
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    /// `Code.attachmentInvalidFileSize`.
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    /// `Code.attachmentNotInDataStore`.
    public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
    /// `Code.attachmentMoveIntoDataStoreFailed`.
    public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
    /// `Code.attachmentCorrupt`.
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    /// `Code.notificationInvalidNoDate`.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    /// `Code.notificationInvalidNoContent`.
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    /// `Code.contentProvidingObjectNotAllowed`.
    public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
    /// `Code.contentProvidingInvalid`.
    public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
    /// `Code.badgeInputInvalid`.
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}
