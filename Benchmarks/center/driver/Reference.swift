// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs in C that do the least that a figure takes, on the same machine and the same disk.
struct Reference {
    let setting: Setting

    struct Records {
        /// CPU time of a record, in microseconds.
        let cpu: Double
        let perSecond: Double
        /// Times of a transaction, in milliseconds.
        let p50: Double
        let p99: Double
    }

    struct Watchers {
        /// CPU time of the writer for one watcher, in microseconds.
        let cpu: Double
        /// Milliseconds until the first and the last watcher was reached.
        let first: Double
        let last: Double
    }

    /// Inserts records into the store of a folder that no centre has open.
    func records(_ folder: String, group: Int, count: Int, byteCount: Int, pause: Int = 0) throws -> Records {
        let file = folder + "/center.sqlite"
        let figures = try run("records", [file, "\(group)", "\(count)", "\(byteCount)", "\(pause)"], count: 4)
        return Records(cpu: figures[0], perSecond: figures[1], p50: figures[2], p99: figures[3])
    }

    /// Reads the heads of an owner and 50 contents; times in milliseconds.
    func page(_ folder: String, owner: String, rounds: Int) throws -> (p50: Double, p99: Double) {
        let figures = try run("page", [folder + "/center.sqlite", owner, "\(rounds)"], count: 2)
        return (figures[0], figures[1])
    }

    /// Writes so many bytes to each of so many sockets.
    func watchers(_ count: Int, byteCount: Int, rounds: Int) throws -> Watchers {
        let figures = try run("watchers", ["\(count)", "\(byteCount)", "\(rounds)"], count: 3)
        return Watchers(cpu: figures[0], first: figures[1], last: figures[2])
    }

    /// Sends a packet to another process and takes one back; times in microseconds.
    func roundTrip(rounds: Int) throws -> (p50: Double, p99: Double) {
        let figures = try run("round_trip", ["\(rounds)"], count: 2)
        return (figures[0], figures[1])
    }

    private func run(_ name: String, _ arguments: [String], count: Int) throws -> [Double] {
        let output = setting.folder + "/\(name).out"
        let notes = setting.folder + "/\(name).notes"
        let child = try Child("\(setting.references)/\(name)", arguments, output: output, notes: notes)
        let isDone = child.wait("the reference \"\(name)\"")
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard isDone, figures.count == count else {
            throw BenchError("\(name) fails: \((try? String(contentsOfFile: notes, encoding: .utf8)) ?? "")")
        }
        return figures
    }
}
