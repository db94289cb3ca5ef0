// SPDX-License-Identifier: Apache-2.0

package import CenterStore
private import Foundation
private import Glibc

/// The clocks of a centre: that on the wall, which people set, and that of the machine, which nobody does.
package struct CenterClock: Sendable {
    /// Milliseconds since 1970.
    package let wall: @Sendable () -> WallTime
    /// Milliseconds since the machine was booted, the time in suspend included.
    package let boot: @Sendable () -> Int64
    /// The machine's time for what is measured, as fine as it has it.
    package let measure: @Sendable () -> Duration
    /// A text that is another one after each boot.
    package let bootID: String

    /// A clock without `measure` measures durations in the milliseconds of `boot`.
    package init(
        wall: @escaping @Sendable () -> WallTime,
        boot: @escaping @Sendable () -> Int64,
        measure: (@Sendable () -> Duration)? = nil,
        bootID: String
    ) {
        self.wall = wall
        self.boot = boot
        self.measure = measure ?? { .milliseconds(boot()) }
        self.bootID = bootID
    }

    /// The machine's clocks.
    package static var system: CenterClock {
        let file = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") ?? Data()
        return CenterClock(
            wall: { milliseconds(of: CLOCK_REALTIME) },
            boot: { milliseconds(of: CLOCK_BOOTTIME) },
            measure: { time(of: CLOCK_MONOTONIC) },
            bootID: String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    /// The wall's time less the machine's, now: what makes dates of the two comparable.
    var wallMinusBoot: Int64 { wall() - boot() }

    private static func milliseconds(of clock: CInt) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func time(of clock: CInt) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
