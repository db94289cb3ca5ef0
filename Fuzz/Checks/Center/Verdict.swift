// SPDX-License-Identifier: Apache-2.0

/// The outcome of one input of a fuzzer.
public enum Verdict: Sendable, Equatable {
    /// The parts of the input that were taken: packets, pieces of work, or the input as a whole.
    case taken(Int)
    case refused
    /// The promise that does not hold: a bug.
    case broken(String)

    /// Runs a check, which says how many parts of its input were taken; none means that the input was refused.
    package init(_ check: () throws(BrokenPromise) -> Int) {
        do throws(BrokenPromise) {
            let count = try check()
            self = count == 0 ? .refused : .taken(count)
        } catch {
            self = .broken(error.promise)
        }
    }

    /// Runs a check that waits.
    package init(_ check: () async throws(BrokenPromise) -> Int) async {
        do throws(BrokenPromise) {
            let count = try await check()
            self = count == 0 ? .refused : .taken(count)
        } catch {
            self = .broken(error.promise)
        }
    }

    /// The promise that does not hold; `nil` means that all hold.
    public var broken: String? {
        if case .broken(let promise) = self { promise } else { nil }
    }

    /// Ends the process if a promise does not hold, which is how a fuzzer learns of it.
    public func hold() {
        if let broken { fatalError("this does not hold: \(broken)") }
    }
}

/// A promise that does not hold.
package struct BrokenPromise: Error {
    package let promise: String

    package init(_ promise: String) {
        self.promise = promise
    }
}

/// Throws where a promise does not hold.
package func expect(_ holds: Bool, _ promise: @autoclosure () -> String) throws(BrokenPromise) {
    guard holds else { throw BrokenPromise(promise()) }
}
