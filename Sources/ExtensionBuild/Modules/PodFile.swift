// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pods that a Podfile of CocoaPods names.
///
/// A Podfile is a program in Ruby, which nobody runs here: lines that begin with `pod` and a name in quotes are read.
struct PodFile {
    private static let mostBytes = 1 << 20
    /// Folders above a source's own in which a Podfile is looked for: those of a project, and not a person's home.
    private static let climbLimit = 6

    private let folder: URL
    private let pods: [(name: String, line: Int)]

    /// Reads the Podfile in the folder of a file, or in the nearest one above that has one; `nil` for none.
    init?(above file: String) {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
        for _ in 0...Self.climbLimit {
            let path = folder.appendingPathComponent("Podfile").path
            if let data = try? BundleFile.contents(of: path, atMost: Self.mostBytes) {
                self.folder = folder
                pods = Self.pods(in: String(decoding: data, as: UTF8.self))
                return
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private static func pods(in text: String) -> [(String, Int)] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
            index,
            line in
            line.firstMatch(of: /^\s*pod\s*\(?\s*['"]([^'"]+)['"]/).map { (String($0.output.1), index + 1) }
        }
    }

    /// Returns advice on a module that a pod has; `nil` for a module of no pod.
    func advice(onModule module: String) -> String? {
        guard let pod = pods.first(where: { Self.modules(of: $0.name).contains(module) }) else { return nil }
        let name = pod.name.prefix { $0 != "/" }
        let checkout = folder.appendingPathComponent("Pods/\(name)").path
        let place = "\(folder.path)/Podfile:\(pod.line) names the pod \(pod.name)"
        if FileManager.default.fileExists(atPath: checkout) {
            return "\(place): add its sources in Swift with --module \(module)=\(checkout)"
        }
        return "\(place), and \(folder.path)/Pods has no checkout of it: run pod install where CocoaPods is, and add "
            + "its sources in Swift with --module \(module)=FOLDER"
    }

    /// The names that the module of a pod or of its part can have: `Firebase/Messaging` makes FirebaseMessaging.
    private static func modules(of pod: String) -> [String] {
        [pod.prefix { $0 != "/" }.description, pod.replacing("/", with: "")].map { name in
            String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        }
    }
}
