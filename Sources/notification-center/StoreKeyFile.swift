// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import CenterAsking
import CenterStore
import Foundation
import Glibc

/// The option of commands that open what a centre has sealed.
struct StoreKeyFile: ParsableArguments {
    @Option(
        name: .customLong("store-key"),
        help: ArgumentHelp(
            "A file of 32 bytes outside of the centre's folder, under which texts and files are sealed.",
            discussion: """
                Make one with: head -c 32 /dev/urandom > center.key. What lay open before is sealed at the start. Keep a \
                copy: nobody can read what is sealed without it.
                """,
            valueName: "file"
        )
    )
    var path: String?

    /// Reads the key; `nil` means that none was named.
    ///
    /// The key is read before the process is confined to its folder.
    func read(for folder: CenterFolder) throws(Failure) -> StoreKey? {
        guard let path else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw Failure(
                "the store key \"\(path)\" cannot be read: \(String(cString: strerror(errno)))",
                hint: Self.making
            )
        }
        defer { close(file) }
        try refuseOpen(file, path)
        try refuseBesideStore(file, path, folder)
        return try Self.key(in: file, path)
    }

    private static let making = "make one of 32 bytes: head -c 32 /dev/urandom > FILE; chmod 600 FILE"

    /// Refuses what others may read; a credential of systemd, which is root's, is as good as the user's own file.
    private func refuseOpen(_ file: CInt, _ path: String) throws(Failure) {
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure("the store key \"\(path)\" is no file", hint: Self.making)
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw Failure(
                "the store key \"\(path)\" belongs to another user",
                hint: "name a file of this user, or of root"
            )
        }
        guard linux_is_private(file) else {
            throw Failure("the store key \"\(path)\" is open to other users", hint: "chmod 600 \(path)")
        }
    }

    /// Refuses a key that is copied, stolen or lost together with what it seals.
    private func refuseBesideStore(_ file: CInt, _ path: String, _ folder: CenterFolder) throws(Failure) {
        guard let key = Self.place("/proc/self/fd/\(file)") else {
            throw Failure("the store key \"\(path)\" has no place that can be found")
        }
        let isInside = [folder.path, folder.sockets].compactMap(Self.place).contains { key.hasPrefix($0 + "/") }
        guard !isInside else {
            throw Failure(
                "the store key \"\(path)\" lies in the centre's folder, so whoever copies the one has the other",
                hint: "move it elsewhere, at best into a credential of systemd: LoadCredential="
            )
        }
    }

    private static func place(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func key(in file: CInt, _ path: String) throws(Failure) -> StoreKey {
        let capacity = StoreKey.byteCount + 1
        let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        defer {
            explicit_bzero(start, capacity)
            start.deallocate()
        }
        var count = 0
        while count < capacity {
            let more = Glibc.read(file, start + count, capacity - count)
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else {
                throw Failure("the store key \"\(path)\" cannot be read: \(String(cString: strerror(errno)))")
            }
            guard more > 0 else { break }
            count += more
        }
        guard let key = StoreKey(UnsafeRawBufferPointer(start: start, count: count)) else {
            let found = count < capacity ? "\(count) bytes" : "more"
            throw Failure(
                "the store key \"\(path)\" has \(found), expected \(StoreKey.byteCount)",
                hint: "put the copy of it there: what was sealed opens under no other; for a new centre " + Self.making
            )
        }
        return key
    }
}
