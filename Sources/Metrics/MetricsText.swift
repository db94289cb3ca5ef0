// SPDX-License-Identifier: Apache-2.0

/// Metrics in the text format 0.0.4 of Prometheus.
package struct MetricsText: Sendable {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Begins a metric: what it is, for people and for the reader.
    package mutating func describe(_ name: String, type: String, help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// One sample.
    package mutating func append(_ name: MetricName, _ value: String) {
        text += "\(name.text) \(value)\n"
    }
}

/// A name with labels.
package struct MetricName: Sendable {
    private let base: String
    private let labels: [(String, String)]

    package init(_ base: String, labels: [(String, String)] = []) {
        self.base = base
        self.labels = labels
    }

    func suffixed(_ suffix: String, label: (String, String)? = nil) -> MetricName {
        MetricName(base + suffix, labels: labels + (label.map { [$0] } ?? []))
    }

    var text: String {
        guard !labels.isEmpty else { return base }
        return base + "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
