// SPDX-License-Identifier: Apache-2.0

/// Modules of scripts that are joined into one, as a browser would run them: a page of many files is one request, and
/// packs better.
///
/// A module becomes a block, whose exports are an object that others take theirs from. The sources keep to what that
/// takes: imports by name, each of a file beside it, exports of a declaration that never changes, and no circle.
/// Source: ECMAScript 2025, section 16.2, "Modules".
struct ModuleBundle {
    /// A reason for which modules cannot be joined.
    enum Fault: Error, Equatable {
        /// A module of this name is needed and is not there.
        case missing(String)
        /// A module needs itself, over others perhaps.
        case circle(String)
        /// A line imports or exports in a way that is not known here.
        case unknown(String, in: String)
    }

    /// Lines without indentation and without comments, by the name of the module.
    private let sources: [String: [Substring]]
    /// The modules that are in the script, and those that are being read.
    private var numbers: [String: Int] = [:]
    private var open: Set<String> = []
    private var lines: [String] = []
    /// The names that the module which was added last exports.
    private var exports: [String] = []

    /// The script of a module with all that it imports; `sources` are without indentation and without comments.
    ///
    /// The script exports what the module does, because another script may load it later.
    static func script(of root: String, among sources: [String: String]) throws(Fault) -> String {
        var bundle = ModuleBundle(sources: sources.mapValues { $0.split(separator: "\n") })
        let number = try bundle.add(root)
        let names = bundle.exports.joined(separator: ", ")
        if !names.isEmpty { bundle.lines.append("export const { \(names) } = module\(number);") }
        return bundle.lines.joined(separator: "\n") + "\n"
    }

    private init(sources: [String: [Substring]]) { self.sources = sources }

    /// Adds a module behind those that it imports, unless it is there already; returns its number.
    private mutating func add(_ name: String) throws(Fault) -> Int {
        if let number = numbers[name] { return number }
        guard let source = sources[name] else { throw .missing(name) }
        guard open.insert(name).inserted else { throw .circle(name) }
        defer { open.remove(name) }
        var body: [String] = []
        var exports: [String] = []
        var rest = source[...]
        while let line = rest.popFirst() {
            if line.hasPrefix("import ") {
                var statement = String(line)
                while !statement.hasSuffix(";"), let next = rest.popFirst() { statement += " " + next }
                let (names, origin) = try Self.imported(statement, in: name)
                body.append("const {\(names)} = module\(try add(origin));")
            } else if line.hasPrefix("export ") {
                exports += try Self.exported(line, in: name)
                body.append(String(line.dropFirst("export ".count)))
            } else {
                body.append(String(line))
            }
        }
        let number = numbers.count
        numbers[name] = number
        self.exports = exports
        lines += ["const module\(number) = {};", "{"] + body
        lines += ["Object.assign(module\(number), { \(exports.joined(separator: ", ")) });", "}"]
        return number
    }

    /// The names of an import, as an object's pattern has them, and the module that they come from.
    private static func imported(_ statement: String, in module: String) throws(Fault) -> (String, String) {
        let halves = statement.dropFirst("import {".count).split(separator: "} from \"./", maxSplits: 1)
        guard statement.hasPrefix("import {"), halves.count == 2, halves[1].hasSuffix("\";") else {
            throw .unknown(statement, in: module)
        }
        return (String(halves[0]).replacing(" as ", with: ": "), String(halves[1].dropLast(2)))
    }

    /// The names that an export declares.
    private static func exported(_ line: Substring, in module: String) throws(Fault) -> [String] {
        if line.hasPrefix("export const {"), let end = line.firstIndex(of: "}") {
            let names = line[..<end].dropFirst("export const {".count).split(separator: ",")
            return names.map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        }
        for start in ["export class ", "export function ", "export async function ", "export const "]
        where line.hasPrefix(start) {
            let name = line.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if !name.isEmpty { return [String(name)] }
        }
        throw .unknown(String(line), in: module)
    }
}
