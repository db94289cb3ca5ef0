// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Glibc
import Testing

/// The orders and packets that the launcher refuses, and its answer to each.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
    static let isRoot = geteuid() == 0

    @Test(arguments: [
        ("missing", "open executable", ENOENT),
        ("link", "open executable", ELOOP),
        ("folder", "executable is no regular file", EISDIR),
        ("fifo", "executable is no regular file", EINVAL),
        ("plain", "executable bit is missing", EACCES),
        ("open-to-all", "executable is world-writable", EPERM),
        ("garbage", "execute", ENOEXEC),
        ("script", "script without an interpreter", ENOEXEC),
        ("../X.appex/launcher-probe", "executable name", EINVAL),
        ("folder/inner", "executable name", EINVAL),
        ("..", "executable name", EINVAL),
        ("", "executable name", EINVAL),
    ])
    func `an executable that must not run is refused by name`(name: String, step: String, error: Int32) throws {
        let bundle = try Bundle()
        let folder = bundle.path
        symlink("launcher-probe", folder + "/link")
        mkdir(folder + "/folder", 0o755)
        mkfifo(folder + "/fifo", 0o755)
        chmod(folder + "/fifo", 0o755)
        try bundle.add("plain", "text", mode: 0o644)
        try bundle.add("open-to-all", "text", mode: 0o757)
        try bundle.add("garbage", "neither ELF nor script")
        try bundle.add("script", "#!/bin/sh\n")
        let launcher = try LauncherUnderTest()
        let order = try launcher.order(name, in: bundle)
        #expect(try launcher.nextEvent() == .failed(serial: order.serial, step: step, error: error))
        let next = try launcher.start(in: bundle)
        try next.tell("exit 0")
        #expect(try launcher.nextEvent().end == .exited(next, 0))
    }

    @Test func `a bundle that is not the folder that was opened is refused`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let order = try launcher.order("launcher-probe", in: bundle, path: Bundle().path)
        guard launcher.hasOwnPids else { return }
        #expect(
            try launcher.nextEvent() == .failed(serial: order.serial, step: "bundle view", error: ENOENT)
        )
        symlink(bundle.path, bundle.path + "/link.appex")
        let linked = try launcher.order("launcher-probe", in: bundle, path: bundle.path + "/link.appex")
        #expect(try launcher.nextEvent() == .failed(serial: linked.serial, step: "bundle view", error: ELOOP))
        let other = try Bundle()
        let swapped = try launcher.order("launcher-probe", in: bundle, path: other.path)
        #expect(
            try launcher.nextEvent() == .failed(serial: swapped.serial, step: "bundle was replaced", error: ESTALE)
        )
    }

    @Test func `a view is a plain path of the right kind, registered before seal, and not one of too many`() throws {
        let launcher = try LauncherUnderTest()
        for (path, error) in [
            ("/does/not/exist", ENOENT), ("/etc/passwd", ENOTDIR), ("relative", EINVAL), ("/usr/../etc", EINVAL),
            ("/usr//lib", EINVAL), ("/", EINVAL), ("/usr/./lib", EINVAL), ("/usr/", EINVAL),
        ] {
            #expect(try launcher.show(path) == error, "\(path)")
        }
        #expect(try launcher.show("/usr/share", as: LAUNCHER_VIEW_INTERPRETER) == EINVAL)
        var shown = 0
        while try launcher.show("/usr/share", slot: 9) == 0 { shown += 1 }
        #expect((10...24).contains(shown))
        #expect(try launcher.show("/usr/share", slot: 9) == ENOSPC)
        #expect(try launcher.show("/usr/share", slot: 8) == 0)
        #expect(launcher_send_seal(launcher.socket.number) == 0)
        #expect(try launcher.show("/usr/share", slot: 7) == EPERM)
    }

    @Test func `a number of an app or a user that is too high is refused`() throws {
        let launcher = try LauncherUnderTest()
        let app = try launcher.order("launcher-probe", in: Bundle(), slot: UInt32(LAUNCHER_MAXIMUM_SLOT) + 1)
        #expect(try launcher.nextEvent() == .failed(serial: app.serial, step: "app slot", error: ERANGE))
        for number in [UInt32(LAUNCHER_MAXIMUM_USER) + 1, .max] {
            let user = try launcher.order("launcher-probe", in: Bundle(), slot: 1, user: number)
            #expect(try launcher.nextEvent() == .failed(serial: user.serial, step: "app user", error: ERANGE))
        }
    }

    @Test func `a user is one app's for good, so that no two apps share a uid`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        // A worker that nobody holds ends, and its end is an event.
        var later: [Worker] = []
        for user: UInt32 in [0, 5, UInt32(LAUNCHER_MAXIMUM_USER)] {
            let first = try launcher.start(in: bundle, slot: 1, user: user)
            let other = try launcher.order("launcher-probe", in: bundle, slot: 2, user: user)
            #expect(try launcher.nextEvent() == .failed(serial: other.serial, step: "app user", error: EEXIST))
            try first.tell("exit 0")
            #expect(try launcher.nextEvent().end == .exited(first, 0))
            let late = try launcher.order("launcher-probe", in: bundle, slot: 2, user: user)
            #expect(try launcher.nextEvent() == .failed(serial: late.serial, step: "app user", error: EEXIST))
            later.append(try launcher.start(in: bundle, slot: 1, user: user))
        }
        later.forEach { $0.closeAll() }
    }

    @Test func `an opener that would be a user of apps ends the launcher`() throws {
        let launcher = try LauncherUnderTest()
        _ = try launcher.order("launcher-probe", in: Bundle(), kind: LAUNCHER_OPENER, user: 1)
        #expect(launcher.exitStatus() == 1)
    }

    @Test func `one process too many is refused and the others live on`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let workers = try (0..<Int(LAUNCHER_MAXIMUM_PROCESSES)).map { _ in try launcher.start(in: bundle) }
        let order = try launcher.order("launcher-probe", in: bundle)
        #expect(try launcher.nextEvent() == .failed(serial: order.serial, step: "process table", error: EAGAIN))
        try workers[workers.count - 1].tell("exit 6")
        #expect(try launcher.nextEvent().end == .exited(workers[workers.count - 1], 6))
        let next = try launcher.start(in: bundle)
        #expect(!next.hasEnded(within: 0))
        workers.forEach { $0.closeAll() }
    }

    @Test func `a thousand starts leave no descriptor behind`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let before = try launcher.openDescriptorCount()
        for round in 1...1_000 {
            if round.isMultiple(of: 4) {
                let order = try launcher.order("missing", in: bundle)
                #expect(
                    try launcher.nextEvent() == .failed(serial: order.serial, step: "open executable", error: ENOENT)
                )
                order.closeAll()
                continue
            }
            let worker = try launcher.start(in: bundle)
            worker.order.socket.close()
            #expect(try launcher.nextEvent().end == .exited(worker, 0))
            worker.closeAll()
        }
        #expect(try launcher.openDescriptorCount() == before)
    }

    @Test(arguments: [
        Malformed.short, .unknownType, .otherVersion, .spawnWithoutDescriptors, .sealWithDescriptor, .unendedPath,
    ])
    func `a malformed packet ends launcher and workers`(packet: Malformed) throws {
        let launcher = try LauncherUnderTest()
        let worker = try launcher.start(in: Bundle())
        let descriptors = packet.hasDescriptor ? [worker.order.output.number] : []
        let sent = linux_send_packet(
            launcher.socket.number,
            packet.bytes,
            packet.bytes.count,
            descriptors,
            Int32(descriptors.count)
        )
        #expect(sent == packet.bytes.count)
        #expect(worker.hasEnded(within: 5_000))
        #expect(launcher.exitStatus() == 1)
    }

    /// Whatever its type: a packet of one byte less or more, of another version, or with a descriptor too many.
    @Test(arguments: Malformed.sizes.map(\.0))
    func `only packets of their own size and version are obeyed`(type: UInt32) throws {
        let size = try #require(Malformed.sizes.first { $0.0 == type }).1
        let version = LAUNCHER_PROTOCOL_VERSION
        let variants: [(size: Int, version: UInt32, descriptors: Int)] = [
            (size - 1, version, 0), (size + 1, version, 0), (size, version - 1, 0), (size, version, 5),
        ]
        for variant in variants {
            let launcher = try LauncherUnderTest()
            let bytes = Malformed.packet(type, version: variant.version, size: variant.size)
            let descriptors = [Int32](repeating: launcher.socket.number, count: variant.descriptors)
            let sent = linux_send_packet(
                launcher.socket.number,
                bytes,
                bytes.count,
                descriptors,
                Int32(descriptors.count)
            )
            #expect(sent == bytes.count)
            #expect(launcher.exitStatus() == 1, "\(variant)")
        }
    }

    @Test func `a host that does not read is given up`() throws {
        let launcher = try LauncherUnderTest()
        let bundle = try Bundle()
        let worker = try launcher.start(in: bundle)
        #expect(fcntl(launcher.socket.number, F_SETFL, O_NONBLOCK) == 0)
        // Each order that is refused leaves an answer that nobody takes.
        var either = [
            pollfd(fd: worker.pidfd.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: launcher.socket.number, events: Int16(POLLOUT), revents: 0),
        ]
        while poll(&either, 2, 20_000) > 0, either[0].revents == 0 {
            do {
                _ = try launcher.order("..", in: bundle)
            } catch let failure as SystemFailure where [EAGAIN, EPIPE, ECONNRESET].contains(failure.error) {
                continue
            }
        }
        #expect(launcher.exitStatus() == 1)
    }

    @Test func `a launcher without its socket says what it is for`() throws {
        let (reading, writing) = try Descriptor.pipe()
        var status: Int32 = 0
        let pid = try startProcess([Products.path(of: "worker-launcher")], descriptorThree: writing)
        waitpid(pid, &status, 0)
        #expect(status >> 8 == 2)
        reading.close()
    }
}

enum Malformed: CaseIterable {
    case short, unknownType, otherVersion, spawnWithoutDescriptors, sealWithDescriptor, unendedPath, priorityBelowLowest

    var hasDescriptor: Bool { self == .sealWithDescriptor }

    var bytes: [UInt8] {
        switch self {
        case .short: [1, 0, 0, 0]
        case .unknownType: header(99)
        case .otherVersion: header(LAUNCHER_SEAL.rawValue, version: LAUNCHER_PROTOCOL_VERSION + 1)
        case .spawnWithoutDescriptors: header(LAUNCHER_SPAWN.rawValue, size: MemoryLayout<launcher_spawn>.size)
        case .sealWithDescriptor: header(LAUNCHER_SEAL.rawValue)
        case .unendedPath:
            header(LAUNCHER_REGISTER_KEY.rawValue, size: MemoryLayout<launcher_register_key>.size, fill: 0x61)
        case .priorityBelowLowest:
            header(LAUNCHER_PRIORITY.rawValue, size: MemoryLayout<launcher_priority>.size, fill: 0xFF)
        }
    }

    /// Every message of the host.
    static let sizes: [(UInt32, Int)] = [
        (LAUNCHER_REGISTER_KEY.rawValue, MemoryLayout<launcher_register_key>.size),
        (LAUNCHER_SEAL.rawValue, MemoryLayout<launcher_seal>.size),
        (LAUNCHER_SPAWN.rawValue, MemoryLayout<launcher_spawn>.size),
        (LAUNCHER_KILL.rawValue, MemoryLayout<launcher_kill>.size),
        (LAUNCHER_PRIORITY.rawValue, MemoryLayout<launcher_priority>.size),
        (LAUNCHER_REGISTER_VIEW.rawValue, MemoryLayout<launcher_register_view>.size),
        (LAUNCHER_TAKE_SCRATCH.rawValue, MemoryLayout<launcher_take_scratch>.size),
        (LAUNCHER_PUT_SCRATCH.rawValue, MemoryLayout<launcher_put_scratch>.size),
        (LAUNCHER_FORGET_SCRATCH.rawValue, MemoryLayout<launcher_forget_scratch>.size),
        (LAUNCHER_REGISTER_GROUP.rawValue, MemoryLayout<launcher_register_group>.size),
    ]

    static func packet(_ type: UInt32, version: UInt32, size: Int) -> [UInt8] {
        let start = withUnsafeBytes(of: launcher_header(version: version, type: type)) { Array($0) }
        return Array((start + [UInt8](repeating: 0, count: max(size - start.count, 0))).prefix(size))
    }

    private func header(
        _ type: UInt32,
        version: UInt32 = LAUNCHER_PROTOCOL_VERSION,
        size: Int = 8,
        fill: UInt8 = 0
    ) -> [UInt8] {
        Self.packet(type, version: version, size: 8) + [UInt8](repeating: fill, count: size - 8)
    }
}
