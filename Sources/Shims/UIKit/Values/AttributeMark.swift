// SPDX-License-Identifier: Apache-2.0

/// The first word of each object that can be an attribute of a text.
///
/// `NSMutableAttributedString` compares the attributes of neighbours with CoreFoundation's `CFEqual`, which reads the
/// number of an object's type in bits 8 to 17 of its first word. For an object of Swift that is its first stored
/// property: with 0 there the process ends, and with a number that no type has the object is asked by `isEqual`.
/// Source: swift-corelibs-foundation, "CFRuntime.c".
struct AttributeMark: Sendable {
    private let word: UInt64 = 0x3_FF00
}
