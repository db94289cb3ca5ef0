// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// Modules that CocoaPods would bring.
struct PodFileTests {
    private func withPodfile(_ text: String, checkouts: [String] = [], _ body: (String, PodFile?) throws -> Void) throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pods-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["App/Service"] + checkouts.map({ "Pods/\($0)" }) {
            let path = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        }
        try Data(text.utf8).write(to: folder.appendingPathComponent("Podfile"))
        try body(folder.path, PodFile(above: folder.path + "/App/Service/NotificationService.swift"))
    }

    private static let podfile = """
        platform :ios, '15.0'
        target 'Service' do
          # pod 'Unused'
          pod 'Firebase/Messaging', '~> 10.0'
          pod("SDWebImage")
          pod "Some-Kit/Core"
        end
        """

    @Test(arguments: [
        ("FirebaseMessaging", 4, "Firebase/Messaging"), ("Firebase", 4, "Firebase/Messaging"),
        ("SDWebImage", 5, "SDWebImage"), ("Some_Kit", 6, "Some-Kit/Core"), ("Some_KitCore", 6, "Some-Kit/Core"),
    ])
    func `a module of a pod without a checkout has the pod's line`(module: String, line: Int, pod: String) throws {
        try withPodfile(Self.podfile) { folder, file in
            #expect(
                file?.advice(onModule: module)
                    == "\(folder)/Podfile:\(line) names the pod \(pod), and \(folder)/Pods has no checkout of it: run pod "
                    + "install where CocoaPods is, and add its sources in Swift with --module \(module)=FOLDER"
            )
        }
    }

    @Test func `a checkout is named where there is one`() throws {
        try withPodfile(Self.podfile, checkouts: ["Firebase"]) { folder, file in
            #expect(
                file?.advice(onModule: "FirebaseMessaging")
                    == "\(folder)/Podfile:4 names the pod Firebase/Messaging: add its sources in Swift with --module "
                    + "FirebaseMessaging=\(folder)/Pods/Firebase"
            )
        }
    }

    @Test(arguments: ["Unused", "Service", "Messaging", ""])
    func `a module of no pod has none`(module: String) throws {
        try withPodfile(Self.podfile) { _, file in
            #expect(file != nil)
            #expect(file?.advice(onModule: module) == nil)
        }
    }

    @Test func `ends of lines and signs of a pod's name are as people have them`() throws {
        try withPodfile("target 'A' do\r\n  pod 'R.swift'\r\nend\r\n") { folder, file in
            #expect(file?.advice(onModule: "R_swift")?.hasPrefix("\(folder)/Podfile:2 names the pod R.swift, ") == true)
        }
    }

    @Test func `a Podfile that is no file is none`() throws {
        try withPodfile("") { folder, _ in
            try FileManager.default.removeItem(atPath: folder + "/Podfile")
            #expect(mkfifo(folder + "/Podfile", 0o600) == 0)
            #expect(PodFile(above: folder + "/App/Service/NotificationService.swift") == nil)
        }
    }

    @Test func `a folder without a Podfile above has none`() {
        #expect(PodFile(above: "/proc/self/NotificationService.swift") == nil)
    }
}
