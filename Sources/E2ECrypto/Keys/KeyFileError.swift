// SPDX-License-Identifier: Apache-2.0

/// The problem with a key file, and its line, counted from 1; no byte of the file.
///
/// The caller names the file, because the caller knows what the user called it.
public struct KeyFileError: Error, Equatable, Sendable {
    /// The kind of a problem with a key file.
    public enum Problem: Equatable, Sendable {
        /// An errno of opening or reading.
        case system(Int32)
        /// Key files are not followed through links.
        case symbolicLink
        /// A folder, a device, a pipe.
        case notARegularFile
        /// The file's group or others have some right to it: `chmod 600`.
        case readableByOthers
        /// A key file is never overwritten.
        case exists
        /// Bytes of a key file.
        case tooLong(limit: Int)
        /// Secrets of a ring.
        case tooManyKeys(limit: Int)
        /// Comments and empty lines only.
        case noKey
        /// A line is no key, or one that cannot be used.
        case key(KeyTextError)
        /// All locked memory is taken.
        case arenaFull
        /// Another process changes it, or just has.
        case busy
        /// There are secrets, but no key pair to retire.
        case noKeyPair
        /// No room for another key.
        case full(limit: Int)
    }

    /// The number of the line, counted from 1; `nil` means that the problem is one of the whole file.
    public let line: Int?
    /// The kind of the problem.
    public let problem: Problem

    /// A problem of the whole file has no line.
    package init(line: Int? = nil, _ problem: Problem) {
        self.line = line
        self.problem = problem
    }
}

extension KeyFileError: CustomStringConvertible {
    /// One clause, to stand after the name of the file.
    public var description: String {
        switch problem {
        case .system(let code): systemMessage(code)
        case .symbolicLink: "is a symbolic link"
        case .notARegularFile: "is not a regular file"
        case .readableByOthers: "can be read by others"
        case .exists: "exists already"
        case .tooLong(let limit): "is longer than \(limit) bytes"
        case .tooManyKeys(let limit): "holds more than \(limit) keys"
        case .noKey: "holds no key"
        case .key(let error): error.description
        case .arenaFull: "does not fit the memory for keys"
        case .busy: "is being changed by another process"
        case .noKeyPair: "holds no key pair to rotate"
        case .full(let limit): "holds \(limit) keys already"
        }
    }

    /// The next step, if there is one; `name` is how the user calls the file.
    package func hint(forFile name: String) -> String? {
        switch problem {
        case .readableByOthers: "chmod 600 \(name)"
        case .symbolicLink: "name the file itself"
        case .exists: "keys are never overwritten; choose another name"
        case .noKey: "make a key pair with \"seal-payload keygen -o FILE\""
        case .key(.unknownKind): "a secret key begins with \"NSE-SECRET-KEY-1\"; a comment with \"#\""
        case .key(let error): error.hint
        case .arenaFull, .tooManyKeys: "delete keys that were retired more than 30 days ago"
        case .full: "\"seal-payload keygen --prune \(name)\" deletes those that were retired more than 30 days ago"
        case .busy: "look at it, and run this again if the change is still to be made"
        case .system, .notARegularFile, .tooLong, .noKeyPair: nil
        }
    }
}
