// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// The part of a message that is of a type which the message itself names: variants, and dictionaries of them.
extension BusMessage {
    /// The value of a variant.
    package indirect enum Value: Sendable, Equatable {
        case byte(UInt8)
        case flag(Bool)
        /// A number of 32 bits without a sign.
        case natural(UInt32)
        case number(Int64)
        case text(String)
        case texts([String])
        case bytes([UInt8])
        case values([String: Value])
        case list([[String: Value]])
        case pair(String, Value)
        /// An open file: what is written is copied, and what is read is open as long as the message is there.
        case descriptor(CInt)
        /// A variant in a variant, as it is written; what is read is what it holds.
        case variant(Value)

        fileprivate var signature: String {
            switch self {
            case .byte: "y"
            case .flag: "b"
            case .natural: "u"
            case .number: "x"
            case .text: "s"
            case .texts: "as"
            case .bytes: "ay"
            case .values: "a{sv}"
            case .list: "aa{sv}"
            case .pair: "(sv)"
            case .descriptor: "h"
            case .variant: "v"
            }
        }
    }

    /// Entries of an array that are kept.
    private static let entryLimit = 256

    // MARK: Writing

    /// Adds a dictionary of names and variants, in the order of the names.
    package func append(_ values: [String: Value]) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_open_container(pointer, Letter.array, "{sv}"))
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try BusFailure.check(sd_bus_message_open_container(pointer, Letter.entry, "sv"))
            try append(name)
            try append(variant: value)
            try BusFailure.check(sd_bus_message_close_container(pointer))
        }
        try BusFailure.check(sd_bus_message_close_container(pointer))
    }

    package func append(variant value: Value) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_open_container(pointer, Letter.variant, value.signature))
        try append(content: value)
        try BusFailure.check(sd_bus_message_close_container(pointer))
    }

    /// Adds an array of variants.
    package func append(variants: [Value]) throws(BusFailure) {
        try BusFailure.check(sd_bus_message_open_container(pointer, Letter.array, "v"))
        for value in variants { try append(variant: value) }
        try BusFailure.check(sd_bus_message_close_container(pointer))
    }

    private func append(content value: Value) throws(BusFailure) {
        switch value {
        case .byte(var byte): try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.byte, &byte))
        case .flag(let flag): try append(flag)
        case .natural(let number): try append(number)
        case .number(var number): try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.int64, &number))
        case .text(let text): try append(text)
        case .texts(let texts): try append(texts)
        case .bytes(let bytes):
            try BusFailure.check(
                bytes.withUnsafeBytes { buffer in
                    sd_bus_message_append_array(pointer, Letter.byte, buffer.baseAddress, buffer.count)
                }
            )
        case .values(let values): try append(values)
        case .list(let list):
            try BusFailure.check(sd_bus_message_open_container(pointer, Letter.array, "a{sv}"))
            for values in list { try append(values) }
            try BusFailure.check(sd_bus_message_close_container(pointer))
        case .pair(let name, let value):
            try BusFailure.check(sd_bus_message_open_container(pointer, Letter.structure, "sv"))
            try append(name)
            try append(variant: value)
            try BusFailure.check(sd_bus_message_close_container(pointer))
        case .descriptor(var descriptor):
            try BusFailure.check(sd_bus_message_append_basic(pointer, Letter.descriptor, &descriptor))
        case .variant(let value): try append(variant: value)
        }
    }

    // MARK: Reading

    /// Reads a dictionary of names and variants; a value of another type than those of `Value` is left out.
    package func readValues() throws(BusFailure) -> [String: Value] {
        var values: [String: Value] = [:]
        try enter(Letter.array, "{sv}")
        while sd_bus_message_at_end(pointer, 0) == 0 {
            try enter(Letter.entry, "sv")
            let name = try readText()
            let value = try readVariant()
            if values.count < Self.entryLimit { values[name] = value }
            try BusFailure.check(sd_bus_message_exit_container(pointer))
        }
        try BusFailure.check(sd_bus_message_exit_container(pointer))
        return values
    }

    /// Reads an array of variants, of which `limit` are kept; one of another type than those of `Value` is left out.
    package func readVariants(limit: Int) throws(BusFailure) -> [Value] {
        var values: [Value] = []
        try enter(Letter.array, "v")
        while sd_bus_message_at_end(pointer, 0) == 0 {
            let value = try readVariant()
            if let value, values.count < limit { values.append(value) }
        }
        try BusFailure.check(sd_bus_message_exit_container(pointer))
        return values
    }

    /// Reads a variant; `nil` means a value of another type than those of `Value`.
    ///
    /// One that holds a variant, as the settings portal answers, is read as that one. The bus refuses a message with
    /// more than 64 of them in each other.
    package func readVariant() throws(BusFailure) -> Value? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        try BusFailure.check(sd_bus_message_peek_type(pointer, &type, &contents))
        let signature = Self.text(contents)
        guard ["y", "b", "u", "x", "s", "as", "ay", "a{sv}", "aa{sv}", "(sv)", "h", "v"].contains(signature) else {
            try BusFailure.check(sd_bus_message_skip(pointer, "v"))
            return nil
        }
        try enter(Letter.variant, signature)
        let value = try readContent(signature)
        try BusFailure.check(sd_bus_message_exit_container(pointer))
        return value
    }

    private func readContent(_ signature: String) throws(BusFailure) -> Value? {
        switch signature {
        case "y":
            var byte: UInt8 = 0
            try read(Letter.byte, &byte)
            return .byte(byte)
        case "b": return .flag(try readFlag())
        case "u": return .natural(try readUInt32())
        case "x":
            var number: Int64 = 0
            try read(Letter.int64, &number)
            return .number(number)
        case "s": return .text(try readText())
        case "as": return .texts(try readTexts(limit: Self.entryLimit))
        case "ay":
            var start: UnsafeRawPointer?
            var count = 0
            try BusFailure.check(sd_bus_message_read_array(pointer, Letter.byte, &start, &count))
            return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        case "a{sv}": return .values(try readValues())
        case "aa{sv}":
            var list: [[String: Value]] = []
            try enter(Letter.array, "a{sv}")
            while sd_bus_message_at_end(pointer, 0) == 0 {
                let values = try readValues()
                if list.count < Self.entryLimit { list.append(values) }
            }
            try BusFailure.check(sd_bus_message_exit_container(pointer))
            return .list(list)
        case "(sv)":
            try enter(Letter.structure, "sv")
            let name = try readText()
            let value = try readVariant()
            try BusFailure.check(sd_bus_message_exit_container(pointer))
            return value.map { .pair(name, $0) }
        case "h":
            var descriptor: CInt = -1
            try read(Letter.descriptor, &descriptor)
            return .descriptor(descriptor)
        default: return try readVariant()
        }
    }
}
