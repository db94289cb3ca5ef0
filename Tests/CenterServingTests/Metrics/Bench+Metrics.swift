// SPDX-License-Identifier: Apache-2.0

@testable import CenterServing

extension Bench {
    /// The samples of a metric that were counted, each as it stands in the text behind the metric's name.
    func samples(_ name: String) -> [String] {
        let all = center.metrics.text.split(separator: "\n").map(String.init)
        return all.filter { $0.hasPrefix(name) && !$0.hasSuffix(" 0") }.map { String($0.dropFirst(name.count)) }
    }

    /// The value of a metric without labels.
    func sample(_ name: String) -> String? {
        center.metrics.text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}
