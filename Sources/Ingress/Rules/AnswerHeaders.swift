// SPDX-License-Identifier: Apache-2.0

/// The headers of an answer, in either version of HTTP.
protocol AnswerHeaders {
    mutating func add(_ name: String, _ value: String)
}
