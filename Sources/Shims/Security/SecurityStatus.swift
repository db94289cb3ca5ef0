// SPDX-License-Identifier: Apache-2.0

public import FoundationCompatibility

/// The result code of a call of module Security.
public typealias OSStatus = Int32

/// Done.
public let errSecSuccess: OSStatus = 0
/// The class of item, or the key object, is not there.
public let errSecUnimplemented: OSStatus = -4
/// The keychain cannot be read or written.
public let errSecIO: OSStatus = -36
/// A parameter is missing or of the wrong kind.
public let errSecParam: OSStatus = -50
/// There is no room.
public let errSecAllocate: OSStatus = -108
/// The user refused; nobody is asked here.
public let errSecUserCanceled: OSStatus = -128
/// There is no keychain.
public let errSecNotAvailable: OSStatus = -25291
/// The user failed to prove himself; nobody is asked here.
public let errSecAuthFailed: OSStatus = -25293
/// The item is there already.
public let errSecDuplicateItem: OSStatus = -25299
/// No item matches.
public let errSecItemNotFound: OSStatus = -25300
/// The user could not be asked; nobody is asked here.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// The bytes cannot be read.
public let errSecDecode: OSStatus = -26275
/// The app may not use the group; here it may use any of its own.
public let errSecMissingEntitlement: OSStatus = -34018

/// A sentence about a status; nil for one that this module does not give.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    let texts: [OSStatus: String] = [
        errSecSuccess: "No error.",
        errSecUnimplemented: "This is not available here.",
        errSecIO: "The keychain cannot be read or written.",
        errSecParam: "A parameter is missing or of the wrong kind.",
        errSecAllocate: "The keychain has no room for the item.",
        errSecNotAvailable: "There is no keychain.",
        errSecDuplicateItem: "The item is in the keychain already.",
        errSecItemNotFound: "The item is not in the keychain.",
    ]
    return texts[status].map { $0 as CFString }
}
