// SPDX-License-Identifier: Apache-2.0

/// Every key that host.yaml may have, in the order of documents.
enum HostSchema {
    /// A key with its place.
    struct Key {
        /// The key with the mappings around it: `listen.apns.port`, `apps[].budget`.
        let path: String
        /// The mapping around the key: `listen.apns`; empty at the top of the file.
        let mapping: String
        let description: KeyDescription
        /// True if a running host takes a new value at SIGHUP, of this key alone or of a mapping around it.
        let isReloaded: Bool
    }

    static var keys: [Key] { keys(HostConfiguration.rows.map(\.description), in: "", areReloaded: false) }

    /// The keys of a mapping, then those of the mappings in it.
    private static func keys(_ descriptions: [KeyDescription], in mapping: String, areReloaded: Bool) -> [Key] {
        let own = descriptions.map { description in
            let path = mapping.isEmpty ? description.name : "\(mapping).\(description.name)"
            let isReloaded = areReloaded || description.isReloaded
            return Key(path: path, mapping: mapping, description: description, isReloaded: isReloaded)
        }
        return own
            + own.flatMap { key in
                let path = key.path + (key.description.isList ? "[]" : "")
                return keys(key.description.keys(), in: path, areReloaded: key.isReloaded)
            }
    }

    /// The keys below a mapping that SIGHUP has a running host take.
    static func reloaded(below mapping: String) -> [String] {
        keys.filter { $0.mapping == mapping && $0.isReloaded }.map(\.path)
    }

    /// The keys that a person means: one path, or every key of that name.
    static func keys(named text: String) -> [Key] {
        let exact = keys.filter { $0.path == text }
        return exact.isEmpty ? keys.filter { $0.path.hasSuffix("." + text) } : exact
    }
}
