// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A host whose clock on the wall jumps, as when somebody sets it: nothing but an expiration goes by it.
@Suite(.timeLimit(.minutes(10)))
struct ClockTests {
    private static let compiler = Programs.installed("cc") ?? Programs.installed("clang")
    private static let day: Int64 = 24 * 3600

    /// Adds to the clock on the wall the seconds that a file says, for the program that it is loaded into.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdint.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static volatile int64_t *shift;
        static int (*get)(clockid_t, struct timespec *);

        __attribute__((constructor)) static void start(void) {
            get = dlsym(RTLD_NEXT, "clock_gettime");
            const char *path = getenv("CLOCK_SHIFT");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return;
            void *map = mmap(0, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
            if (map != MAP_FAILED) shift = map;
            close(file);
        }
        int clock_gettime(clockid_t clock, struct timespec *now) {
            int result = get(clock, now);
            if (clock == CLOCK_REALTIME && shift) now->tv_sec += *shift;
            return result;
        }
        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            struct timespec time;
            (void)zone;
            if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
            now->tv_sec = time.tv_sec;
            now->tv_usec = time.tv_nsec / 1000;
            return 0;
        }
        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }
        """

    private struct Fixture {
        let folder: TemporaryFolder
        let host: RunningHost

        /// In place: the host has the file mapped.
        func jump(to shift: Int64) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path + "/shift"))
            try withUnsafeBytes(of: shift) { try file.write(contentsOf: Data($0)) }
            try file.close()
        }

        func post(_ number: Int, _ headers: String...) async throws -> Int? {
            try await host.post(
                #"{"aps":{"alert":{"body":"\#(number)"}}}"#,
                headers: ["apns-id: 00000000-0000-4000-8000-00000000000\(number)"] + headers
            )
        }

        /// The text of the next record, and by how much its date differs from the test's clock.
        func next() async throws -> (body: String?, shift: Double)? {
            guard let record = try await host.nextRecord() else { return nil }
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let date = try Date(record.object["date"]?.string ?? "", strategy: style)
            return (record.alert?["body"]?.string, date.timeIntervalSinceNow)
        }
    }

    private func withHost(_ body: (Fixture) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let compiler = try #require(Self.compiler)
            let library = folder.path + "/clock.so"
            let source = try folder.write(Self.source, to: "clock.c")
            let made = try await CommandResult.run(compiler, ["-shared", "-fPIC", "-o", library, source, "-ldl"])
            try #require(made.status == 0, "\(made.errors)")
            try Data(count: 8).write(to: URL(fileURLWithPath: folder.path + "/shift"))
            let configuration = try folder.write(
                """
                listen: { apns: { port: 0, plaintext: true } }
                state: state
                apps: [{ topic: com.example.chat, device-tokens: ["\(RunningHost.token)"] }]

                """,
                to: "host.yaml"
            )
            let host = try await RunningHost(
                configuration: configuration,
                command: [
                    "/usr/bin/env", "CLOCK_SHIFT=\(folder.path)/shift", "LD_PRELOAD=\(library)", Programs.extensionHost,
                ],
                options: []
            )
            defer { host.terminate() }
            try await body(Fixture(folder: folder, host: host))
            host.terminate()
            #expect(await host.exitStatus == 0)
            #expect(try await host.remainingRecords().isEmpty)
        }
    }

    @Test(.enabled(if: compiler != nil, "needs a C compiler"), arguments: [day, -day])
    func `a clock that jumps a day loses no push, repeats none and forgets none`(_ jump: Int64) async throws {
        try await withHost { fixture in
            let now = Int64(Date.now.timeIntervalSince1970)
            #expect(try await fixture.post(1) == 200)
            let before = try #require(try await fixture.next())
            #expect(before.body == "1")
            #expect(abs(before.shift) < 60)

            try fixture.jump(to: jump)
            // Known for a day of running, not until tomorrow; a repeat has no second record.
            #expect(try await fixture.post(1) == 200)
            #expect(try await fixture.post(2) == 200)
            let after = try #require(try await fixture.next())
            #expect(after.body == "2")
            // The clock did jump.
            #expect(abs(after.shift - Double(jump)) < 60)
            // Of an expiration the clock on the wall decides: in an hour, by the test's.
            #expect(try await fixture.post(3, "apns-expiration: \(now + 3600)") == 200)
            #expect(try await fixture.next()?.body == "3")

            try fixture.jump(to: 0)
            for number in 1...3 { #expect(try await fixture.post(number) == 200) }
            #expect(try await fixture.post(4) == 200)
            #expect(try await fixture.next()?.body == "4")
        }
    }
}
