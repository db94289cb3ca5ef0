// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Objects, and what Apple bridges to objects, stand as `%@` in a format on Apple's platforms. Foundation on Linux takes
// text alone. Here each is handed over as its description, in an object that lives as long as the call.

/// A value that stands as `%@` in a format.
public protocol FormatArgument: CVarArg, _CVarArgObject {
    /// The text that a format shows for the value.
    var formatDescription: String { get }
}

extension FormatArgument {
    /// The description, as an object.
    public var _cVarArgObject: any CVarArg { NSString(string: formatDescription) }

    /// The address of the description, which nothing keeps alive: formats ask for `_cVarArgObject` first.
    public var _cVarArgEncoding: [Int] { NSString(string: formatDescription)._cVarArgEncoding }
}

extension FormatArgument where Self: CustomStringConvertible {
    /// The value's own description.
    public var formatDescription: String { description }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {
    /// The description of the `NSArray` that it is bridged to.
    public var formatDescription: String { (self as NSArray).description }
}

extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {
    /// The description of the `NSDictionary` that it is bridged to.
    public var formatDescription: String { (self as NSDictionary).description }
}

extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {
    /// The description of the `NSSet` that it is bridged to.
    public var formatDescription: String { (self as NSSet).description }
}

extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSError: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSNull: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension NSValue: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
