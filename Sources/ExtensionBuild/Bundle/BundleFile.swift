// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Foundation
import HostRuntime

/// The one way in which commands read a file of a bundle or of a project, which a stranger may have put there.
///
/// A name may stand for a pipe that nobody writes to, for a device, or for a file of any size. So a file is looked at
/// before it is opened, because to open a device can do something, is opened without waiting, is looked at again, and
/// is read up to a limit. Source: docs/sandbox.md, "A bundle's files".
package enum BundleFile {
    /// The bytes that Info.plist or a file of entitlements may have.
    static let propertyListByteCountLimit = 1 << 20
    /// The bytes that a table of texts may have.
    static let tableByteCountLimit = 16 << 20
    /// The bytes that one source of an extension may have.
    static let sourceByteCountLimit = 16 << 20

    /// The whole content of a regular file of at most `limit` bytes.
    ///
    /// With `bundle`, the folder of a bundle, `path` lies in it and is reached through no link: whoever made a bundle
    /// might have the host read any file of its machine by a link, and send its texts out.
    package static func contents(
        of path: String,
        below bundle: String? = nil,
        atMost limit: Int
    ) throws(CommandError) -> Data {
        let descriptor = if let bundle { try open(path, below: bundle) } else { try open(path) }
        defer { close(descriptor) }
        let byteCount = FileFacts(of: descriptor)?.byteCount ?? 0
        guard byteCount <= limit else {
            throw CommandError("\(path): \(byteCount) bytes, at most \(limit) are possible")
        }
        // One byte more than there may be: a file can grow while it is read.
        let bytes = try read(limit + 1, from: descriptor, expecting: byteCount, path: path)
        guard bytes.count <= limit else {
            throw CommandError("\(path): more than \(byteCount) bytes came, at most \(limit) are possible")
        }
        return Data(bytes)
    }

    /// The value of Info.plist, or of another property list of that kind.
    package static func propertyList(at path: String) throws(CommandError) -> Any {
        let data = try contents(of: path, atMost: propertyListByteCountLimit)
        do {
            return try PropertyList.value(of: data)
        } catch {
            throw error.commandError(in: path, what: "a property list")
        }
    }

    /// The first bytes of a regular file of any size.
    package static func start(of path: String, byteCount: Int) throws(CommandError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        return try read(byteCount, from: descriptor, expecting: byteCount, path: path)
    }

    /// A descriptor of a regular file, for the caller to close.
    private static func open(_ path: String) throws(CommandError) -> Int32 {
        guard let facts = FileFacts(at: path) else { throw unreadable(path) }
        guard facts.kind == .regular else { throw noFile(path) }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw unreadable(path) }
        guard FileFacts(of: descriptor)?.kind == .regular else {
            close(descriptor)
            throw noFile(path)
        }
        return descriptor
    }

    private static func open(_ path: String, below bundle: String) throws(CommandError) -> Int32 {
        let folder = linux_open_folder(bundle)
        guard folder >= 0 else { throw CommandError("\"\(bundle)\" is not readable") }
        defer { close(folder) }
        let file = linux_take_file(folder, String(path.dropFirst(bundle.count).drop { $0 == "/" }), 0)
        switch -file {
        case ...0: return file
        case ELOOP, EXDEV:
            throw CommandError(
                "\"\(path)\" is a link, or lies behind one",
                hint: "put a copy of the file into the bundle"
            )
        // ENXIO: the socket of somebody.
        case EINVAL, ENXIO: throw noFile(path)
        case let code: throw CommandError("\"\(path)\" is not readable: \(String(cString: strerror(code)))")
        }
    }

    private static func read(
        _ limit: Int,
        from descriptor: Int32,
        expecting byteCount: Int,
        path: String
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, byteCount + 1))
        var buffer = [UInt8](repeating: 0, count: min(limit, 64 << 10))
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String) -> CommandError {
        CommandError("\"\(path)\" is not readable: \(String(cString: strerror(errno)))")
    }

    private static func noFile(_ path: String) -> CommandError {
        CommandError("\"\(path)\" is no regular file")
    }
}

extension PropertyList.Mistake {
    /// The mistake in words for a person: in which file, and what was to be read.
    func commandError(in path: String, what: String) -> CommandError {
        let place = line.map { "\(path):\($0)" } ?? path
        return CommandError(
            "\(place): not \(what): \(reason)",
            hint: "XML in UTF-8 is read, as Xcode and \"plutil -convert xml1\" write it, and the binary form"
        )
    }
}
