// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CLinux
import Foundation
import Glibc
import Synchronization
import Testing

/// Folders that are not at their path any more what the host opened, in every profile, for root's host and for that of
/// an ordinary user.
@Suite(.timeLimit(.minutes(10)))
struct SwappedFolderTests {
    /// The profile and the user of a launcher; a user of `nil` means the one who runs the tests.
    struct Origin: Sendable, CustomTestStringConvertible {
        let profile: Character
        let user: uid_t?

        var testDescription: String { "\(profile), \(user.map { "user \($0)" } ?? "this user")" }

        var hasOwnRoot: Bool { profile == "A" || profile == "B" }

        func launcher() throws -> LauncherUnderTest {
            let arguments = ["--profile", "\(profile)"]
            guard user != nil else { return try LauncherUnderTest(arguments) }
            let (launcher, folder) = try OtherUser.launcher(arguments)
            launcher.kept.append(folder)
            return launcher
        }

        func makeStorage() throws -> Storage { try Storage(owner: user ?? FIRST_WORKER_USER + 1) }

        func makeBundle() throws -> Bundle {
            let bundle = try Bundle()
            bundle.openToAll()
            return bundle
        }
    }

    static let isRoot = geteuid() == 0
    static let origins =
        (isRoot ? "ABCD" : "ACD").map { Origin(profile: $0, user: nil) }
        + (isRoot ? "ACD" : "").map { Origin(profile: $0, user: OtherUser.number) }
    /// The origins in which rules on files hold, whatever has which name.
    static let confining = origins.filter { $0.profile != "D" }

    private func order(
        _ launcher: LauncherUnderTest,
        _ bundle: Bundle,
        storage: String,
        path: String? = nil
    ) throws -> Order {
        try launcher.order(
            "launcher-probe",
            in: bundle,
            slot: 1,
            flags: GrantTests.scratch,
            scratchBytes: GrantTests.mebibyte,
            storage: storage,
            storagePath: path
        )
    }

    // MARK: Storage

    @Test(arguments: origins)
    func `a folder in the place of storage is refused, and so is a link or nothing`(origin: Origin) throws {
        let launcher = try origin.launcher()
        #expect(launcher.profile == origin.profile)
        let bundle = try origin.makeBundle()
        let (storage, other) = (try origin.makeStorage(), try origin.makeStorage())
        let above = storage.parent + "/above"
        symlink(storage.parent, above)
        symlink(storage.path, storage.parent + "/link")
        for (path, step, error) in [
            (other.path, "storage folder was replaced", ESTALE),
            (storage.parent, "storage folder was replaced", ESTALE),
            (storage.parent + "/link", "storage folder", ELOOP),
            (above + "/app", "storage folder", ELOOP),
            (storage.parent + "/none", "storage folder", ENOENT),
            (bundle.path + "/launcher-probe", "storage folder", ENOTDIR),
        ] {
            let order = try order(launcher, bundle, storage: storage.path, path: path)
            #expect(try launcher.nextEvent() == .failed(serial: order.serial, step: step, error: error), "\(path)")
        }
        let served = try order(launcher, bundle, storage: storage.path)
        guard case .started(served.serial, _, _, _, let grants) = try launcher.nextEvent() else {
            throw Unexpected("not started")
        }
        #expect(grants.flags == GrantTests.scratch)
    }

    @Test(arguments: confining)
    func `a folder that comes into the place of storage later is not the worker's`(origin: Origin) throws {
        let launcher = try origin.launcher()
        let storage = try origin.makeStorage()
        let worker = try launcher.start(
            in: origin.makeBundle(),
            slot: 1,
            flags: GrantTests.scratch,
            scratchBytes: GrantTests.mebibyte,
            storage: storage.path
        )
        let folder = origin.hasOwnRoot ? "/scratch" : storage.path
        #expect(try worker.ask("append \(folder)/home/a text") == ["OK"])
        // The new one is the worker's own user's as well.
        let other = try origin.makeStorage()
        #expect(try other.write("secret", to: "home/b"))
        #expect(rename(storage.path, storage.parent + "/old") == 0)
        #expect(rename(other.path, storage.path) == 0)
        guard origin.hasOwnRoot else {
            #expect(try worker.ask("read \(folder)/home/b") == ["EACCES"])
            #expect(try worker.ask("append \(folder)/home/c text") == ["EACCES"])
            #expect(try worker.ask("list \(folder)/home") == ["EACCES"])
            return
        }
        #expect(try worker.ask("list \(folder)/home") == ["a"])
        #expect(try worker.ask("append \(folder)/home/c text") == ["OK"])
        #expect(access(storage.parent + "/old/home/c", F_OK) == 0)
    }

    /// Two folders change places as fast as they can.
    @Test(arguments: confining)
    func `a worker never has the wrong one of two folders that change places`(origin: Origin) throws {
        let launcher = try origin.launcher()
        let bundle = try origin.makeBundle()
        let (storage, other) = (try origin.makeStorage(), try origin.makeStorage())
        let right = try Descriptor(checking: linux_open_folder(storage.path))
        let wrong = try Descriptor(checking: linux_open_folder(other.path))
        let swapping = Swapping(storage.path, other.path)
        let replaced = "storage folder was replaced \(ESTALE)"
        var startCount = 0
        var refusals: Set<String> = []
        // As many attempts as the swapping thread needs to get its turns.
        let patience = ContinuousClock.now + .seconds(120)
        while startCount < 20 || !refusals.contains(replaced), ContinuousClock.now < patience {
            // The right one by its descriptor, whatever has its name at the moment.
            let order = try order(
                launcher,
                bundle,
                storage: "/proc/self/fd/\(right.number)/.",
                path: storage.path
            )
            switch try launcher.nextEvent() {
            case .failed(order.serial, let step, let error): refusals.insert("\(step) \(error)")
            case .started(order.serial, let pid, let pidfd, let status, let grants):
                startCount += 1
                let worker = Worker(order: order, pid: pid, pidfd: pidfd, status: status, grants: grants)
                let folder = origin.hasOwnRoot ? "/scratch" : storage.path
                let outcome = try worker.ask("append \(folder)/home/\(startCount) text")
                // Without mounts it goes by the name, which is the wrong one's or nobody's by now.
                #expect((origin.hasOwnRoot ? [["OK"]] : [["OK"], ["EACCES"], ["ENOENT"]]).contains(outcome))
                worker.closeAll()
                #expect(try launcher.nextEvent().end == .exited(worker, 0))
            case let event: throw Unexpected("\(event)")
            }
        }
        swapping.end()
        #expect(startCount >= 20 && refusals.contains(replaced))
        #expect(refusals.isSubset(of: [replaced, "storage folder \(ENOENT)"]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(wrong.number)/home") == [])
        #expect(try !FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(right.number)/home").isEmpty)
    }

    // MARK: Bundles

    /// With mounts of its own it is refused; without, what was opened runs and has nothing of what lies in its place.
    @Test(arguments: confining)
    func `a folder in the place of a bundle is nobody's`(origin: Origin) throws {
        let launcher = try origin.launcher()
        let (bundle, other) = (try origin.makeBundle(), try origin.makeBundle())
        try bundle.add("mine", "mine", mode: 0o644)
        try other.add("theirs", "theirs", mode: 0o644)
        let opened = try Descriptor(checking: linux_open_folder(bundle.path))
        exchange(bundle.path, other.path)
        let order = try launcher.order(
            "launcher-probe",
            in: bundle,
            folder: "/proc/self/fd/\(opened.number)/.",
            slot: 1
        )
        let event = try launcher.nextEvent()
        guard !origin.hasOwnRoot else {
            #expect(event == .failed(serial: order.serial, step: "bundle was replaced", error: ESTALE))
            return
        }
        guard case .started(order.serial, let pid, let pidfd, let status, let grants) = event else {
            throw Unexpected("\(event)")
        }
        let worker = Worker(order: order, pid: pid, pidfd: pidfd, status: status, grants: grants)
        #expect(try worker.ask("read \(bundle.path)/theirs") == ["EACCES"])
        #expect(try worker.ask("list \(bundle.path)") == ["EACCES"])
        // Where it is by now.
        #expect(try worker.ask("read \(other.path)/mine") == ["mine"])
    }

    /// The program changes places with one that every user may write, and that says something else.
    @Test(arguments: origins)
    func `the file that was checked is the file that runs`(origin: Origin) throws {
        let launcher = try origin.launcher()
        let bundle = try origin.makeBundle()
        try run(["cp", "/bin/true", bundle.path + "/other"])
        chmod(bundle.path + "/other", 0o757)
        let swapping = Swapping(bundle.path + "/launcher-probe", bundle.path + "/other")
        let writable = "executable is world-writable \(EPERM)"
        var startCount = 0
        var refusals: Set<String> = []
        // As many attempts as the swapping thread needs to get its turns.
        let patience = ContinuousClock.now + .seconds(120)
        while startCount < 20 || !refusals.contains(writable), ContinuousClock.now < patience {
            let order = try launcher.order("launcher-probe", in: bundle, slot: 1)
            switch try launcher.nextEvent() {
            case .failed(order.serial, let step, let error): refusals.insert("\(step) \(error)")
            case .started(order.serial, let pid, let pidfd, let status, let grants):
                startCount += 1
                let worker = Worker(order: order, pid: pid, pidfd: pidfd, status: status, grants: grants)
                // The other program says nothing.
                #expect(try worker.ask("list /nowhere") == ["ENOENT"])
                worker.closeAll()
                _ = try launcher.nextEvent()
            case let event: throw Unexpected("\(event)")
            }
        }
        swapping.end()
        #expect(startCount >= 20 && refusals.contains(writable))
        #expect(refusals.isSubset(of: [writable, "open executable \(ENOENT)"]))
    }
}

/// For a moment one of the two names is nobody's.
private func exchange(_ first: String, _ second: String) {
    rename(first, first + ".between")
    rename(second, first)
    rename(first + ".between", second)
}

/// Two names that change places on a thread of their own, until its end.
private final class Swapping: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ first: String, _ second: String) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                exchange(first, second)
                sched_yield()
            }
            hasEnded.signal()
        }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}

extension Storage {
    /// Writes a file that belongs to the owner of the storage.
    fileprivate func write(_ text: String, to name: String) throws -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemFailure(error: errno) }
        let file = path + "/" + name
        return FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
            && chown(file, status.st_uid, status.st_gid) == 0
    }
}
