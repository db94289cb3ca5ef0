// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Core Foundation's types are bridged to these on Apple's platforms, and so they are written in one's code.

/// A string of Core Foundation: `NSString`.
public typealias CFString = NSString
/// Bytes of Core Foundation: `NSData`.
public typealias CFData = NSData
/// A dictionary of Core Foundation: `NSDictionary`.
public typealias CFDictionary = NSDictionary
/// A changeable dictionary of Core Foundation: `NSMutableDictionary`.
public typealias CFMutableDictionary = NSMutableDictionary
/// An array of Core Foundation: `NSArray`.
public typealias CFArray = NSArray
/// A number of Core Foundation: `NSNumber`.
public typealias CFNumber = NSNumber
/// A boolean of Core Foundation: `NSNumber`.
public typealias CFBoolean = NSNumber
/// An address of Core Foundation: `NSURL`.
public typealias CFURL = NSURL
/// An error of Core Foundation: `NSError`.
public typealias CFError = NSError
/// Any object.
public typealias CFTypeRef = AnyObject
/// A source of memory for Core Foundation; there is one.
public final class CFAllocator: Sendable {
    private init() {}
}
/// The usual source.
public var kCFAllocatorDefault: CFAllocator? { nil }
/// A number of elements.
public typealias CFIndex = Int

// Apple imports both as implicitly unwrapped; code says `kCFBooleanTrue!` and `kCFBooleanTrue as Any`.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// True, as an object.
public var kCFBooleanTrue: CFBoolean! { NSNumber(value: true) }
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// False, as an object.
public var kCFBooleanFalse: CFBoolean! { NSNumber(value: false) }

/// The nanoseconds of a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// The nanoseconds of a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
