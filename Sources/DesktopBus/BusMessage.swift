// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A failure of the bus or of a message: the errno of sd-bus.
package struct BusFailure: Error, Equatable, CustomStringConvertible {
    package let code: CInt

    package init(_ code: CInt) {
        self.code = code
    }

    package var description: String { String(cString: strerror(code)) }

    /// Returns the result of a call of sd-bus, which is negative for a failure.
    @discardableResult
    static func check(_ result: CInt) throws(BusFailure) -> CInt {
        guard result >= 0 else { throw BusFailure(-result) }
        return result
    }
}

/// A message of D-Bus that is written or read, argument by argument.
///
/// Source: sd_bus_message_append_basic(3), sd_bus_message_read_basic(3). The functions with a variable number of
/// arguments are none that Swift can call.
package struct BusMessage: ~Copyable {
    /// The letters of the specification, "Type System".
    enum Letter {
        static let byte = CChar(UInt8(ascii: "y"))
        static let boolean = CChar(UInt8(ascii: "b"))
        static let int32 = CChar(UInt8(ascii: "i"))
        static let int64 = CChar(UInt8(ascii: "x"))
        static let uint32 = CChar(UInt8(ascii: "u"))
        static let string = CChar(UInt8(ascii: "s"))
        static let array = CChar(UInt8(ascii: "a"))
        static let variant = CChar(UInt8(ascii: "v"))
        static let entry = CChar(UInt8(ascii: "e"))
        static let structure = CChar(UInt8(ascii: "r"))
        static let descriptor = CChar(UInt8(ascii: "h"))
    }

    package enum Kind: Sendable, Equatable {
        case call
        /// The number is that of the call that it answers.
        case answer(UInt64)
        case refusal(UInt64)
        case signal
        case other
    }

    let pointer: OpaquePointer

    /// Takes a message over.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { sd_bus_message_unref(pointer) }

    package var kind: Kind {
        var type: UInt8 = 0
        guard sd_bus_message_get_type(pointer, &type) >= 0 else { return .other }
        var cookie: UInt64 = 0
        switch Int(type) {
        case Int(SD_BUS_MESSAGE_METHOD_CALL): return .call
        case Int(SD_BUS_MESSAGE_SIGNAL): return .signal
        case Int(SD_BUS_MESSAGE_METHOD_RETURN) where sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0:
            return .answer(cookie)
        case Int(SD_BUS_MESSAGE_METHOD_ERROR) where sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0:
            return .refusal(cookie)
        default: return .other
        }
    }

    /// The unique name of the sender; "" means that it has none.
    package var sender: String { Self.text(sd_bus_message_get_sender(pointer)) }
    package var path: String { Self.text(sd_bus_message_get_path(pointer)) }
    package var interface: String { Self.text(sd_bus_message_get_interface(pointer)) }
    package var member: String { Self.text(sd_bus_message_get_member(pointer)) }
    /// The letters of all arguments.
    package var signature: String { Self.text(sd_bus_message_get_signature(pointer, 1)) }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// Answers the call that the message is, while the connection hands it over.
    package func answer(_ write: (borrowing BusMessage) throws(BusFailure) -> Void) throws(BusFailure) {
        var pointer: OpaquePointer?
        try BusFailure.check(sd_bus_message_new_method_return(self.pointer, &pointer))
        guard let pointer else { throw BusFailure(ENOMEM) }
        let message = BusMessage(owning: pointer)
        try write(message)
        try BusFailure.check(sd_bus_send(nil, message.pointer, nil))
    }

    /// Refuses the call that the message is, while the connection hands it over.
    package func refuse() throws(BusFailure) {
        var pointer: OpaquePointer?
        try BusFailure.check(sd_bus_message_new_method_errno(self.pointer, &pointer, EINVAL, nil))
        guard let pointer else { throw BusFailure(ENOMEM) }
        let message = BusMessage(owning: pointer)
        try BusFailure.check(sd_bus_send(nil, message.pointer, nil))
    }

    // MARK: Writing

    /// Adds a text; what is behind a NUL is left out.
    package func append(_ text: String) throws(BusFailure) {
        try BusFailure.check(text.withCString { sd_bus_message_append_basic(pointer, Letter.string, $0) })
    }

    package func append(_ number: UInt32) throws(BusFailure) {
        var number = number
        try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.uint32, &number))
    }

    package func append(_ number: Int32) throws(BusFailure) {
        var number = number
        try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.int32, &number))
    }

    package func append(_ flag: Bool) throws(BusFailure) {
        var number: CInt = flag ? 1 : 0
        try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.boolean, &number))
    }

    package func append(_ texts: [String]) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_open_container(pointer, Letter.array, "s"))
        for text in texts { try append(text) }
        try BusFailure.check(sd_bus_message_close_container(pointer))
    }

    // MARK: Reading

    package func readText() throws(BusFailure) -> String {
        var text: UnsafePointer<CChar>?
        try read(Letter.string, &text)
        return Self.text(text)
    }

    package func readUInt32() throws(BusFailure) -> UInt32 {
        var number: UInt32 = 0
        try read(Letter.uint32, &number)
        return number
    }

    package func readFlag() throws(BusFailure) -> Bool {
        var flag: CInt = 0
        try read(Letter.boolean, &flag)
        return flag != 0
    }

    package func readInt32() throws(BusFailure) -> Int32 {
        var number: Int32 = 0
        try read(Letter.int32, &number)
        return number
    }

    /// Reads an array of texts, of which `limit` are kept.
    package func readTexts(limit: Int) throws(BusFailure) -> [String] {
        try enter(Letter.array, "s")
        var texts: [String] = []
        while sd_bus_message_at_end(pointer, 0) == 0 {
            let text = try readText()
            if texts.count < limit { texts.append(text) }
        }
        try BusFailure.check(sd_bus_message_exit_container(pointer))
        return texts
    }

    func enter(_ type: CChar, _ contents: String) throws(BusFailure) {
        let result = try BusFailure.check(sd_bus_message_enter_container(pointer, type, contents))
        // 0 means that the message has ended.
        guard result > 0 else { throw BusFailure(ENXIO) }
    }

    func read<Value: BitwiseCopyable>(_ type: CChar, _ value: inout Value) throws(BusFailure) {
        let result = try BusFailure.check(sd_bus_message_read_basic(pointer, type, &value))
        guard result > 0 else { throw BusFailure(ENXIO) }
    }
}
