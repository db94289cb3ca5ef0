// SPDX-License-Identifier: Apache-2.0

import Foundation

extension CompilerOutput {
    /// Returns advice on the compiler's errors, in the order of use; none if the compiler's own words suffice.
    ///
    /// The compiler stops at the first module of a file that it cannot find; `missing` are all that it would miss.
    func advice(missing: [ImportedModule]) -> [String] {
        let text = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        var advice: [String] = []
        if text.contains("no such module") {
            advice += missing.map(Self.advice(on:))
        }
        if text.contains("cannot be imported by the Swift") || text.contains("was created by a different version") {
            advice.append("swiftc on PATH is another version than the extension SDK's: run scripts/extension-sdk again")
        }
        if text.contains("unable to find library -lcurl") {
            advice.append("the libcurl that URLSession needs is not installed: apt-get install libcurl4-openssl-dev")
        }
        if text.contains("unable to find library -lxml2") {
            advice.append("the libxml2 that FoundationXML needs is not installed: apt-get install libxml2-dev")
        }
        if let match = text.firstMatch(of: /circular dependency between modules '(\w+)' and '(\w+)'/) {
            advice.append(
                "\(match.output.2) here stands on a module of the extension SDK that is called \(match.output.1), too: give "
                    + "yours another name, --module OTHER=FOLDER, and import that"
            )
        }
        if text.contains("'sqlite3.h' file not found") || text.contains("unable to find library -lsqlite3") {
            advice.append("the library that SQLite3 names is not installed: apt-get install libsqlite3-dev")
        }
        if text.contains("Objective-C interoperability is disabled") || text.contains("use of '#selector'") {
            advice.append(
                "selectors and Objective-C classes do not exist on Linux: put the code into #if canImport(ObjectiveC)"
            )
        }
        return advice + Self.absences(in: text)
    }

    /// Returns what is not here, with each reason once, where the compiler says other errors as well: most of them come
    /// from that, and a class that is not here stands in many lines.
    private static func absences(in text: String) -> [String] {
        let found = text.matches(of: /: error: '([^'\n]+)' is unavailable: ([^\n]+)/)
        guard !found.isEmpty, text.matches(of: /: error: ./).count > found.count else { return [] }
        var reasons: [(reason: Substring, names: [Substring])] = []
        for match in found {
            let place = reasons.firstIndex { $0.reason == match.output.2 } ?? reasons.count
            if place == reasons.count { reasons.append((match.output.2, [])) }
            if !reasons[place].names.contains(match.output.1) { reasons[place].names.append(match.output.1) }
        }
        return reasons.map { "\($0.names.joined(separator: ", ")): \($0.reason)" }
    }

    /// Returns the next step for a module that nobody has, behind its place.
    static func advice(on module: ImportedModule) -> String {
        let pod = PodFile(above: module.file)?.advice(onModule: module.name)
        return "\(module.place): \(pod ?? advice(onModule: module.name))"
    }

    private static func advice(onModule name: String) -> String {
        guard appleModules.contains(name) else {
            return
                "\(name) is no module of Apple's: add its sources with --module \(name)=FOLDER, its package with "
                + "--packages FOLDER, or its module built for Linux: -Xswiftc -IFOLDER -Xswiftc FOLDER/lib\(name).a"
        }
        if name == "SwiftUI" {
            return "SwiftUI is Apple's and has no shim here: a view of notifications is written with NotificationScene"
        }
        return "\(name) is Apple's and has no shim here: put what uses it into #if canImport(\(name))"
    }

    /// Frameworks that extensions import on iOS and that do not exist here, shimmed or not.
    private static let appleModules: Set<String> = [
        "AVFoundation", "AVKit", "Accelerate", "Accounts", "AdSupport", "AppIntents", "AppKit",
        "AppTrackingTransparency",
        "AudioToolbox", "AuthenticationServices", "BackgroundTasks", "CallKit", "CloudKit", "Combine", "CommonCrypto",
        "Compression", "Contacts", "CoreBluetooth", "CoreData", "CoreFoundation", "CoreGraphics", "CoreImage",
        "CoreLocation", "CoreMedia", "CoreML", "CoreSpotlight", "CoreTelephony", "CoreText", "CoreVideo", "CryptoKit",
        "CryptoTokenKit", "DeviceCheck", "EventKit", "FileProvider", "HealthKit", "ImageIO", "Intents", "IntentsUI",
        "LocalAuthentication", "MapKit", "MediaPlayer", "MessageUI", "Messages", "MetricKit", "MobileCoreServices",
        "NaturalLanguage", "Network", "NetworkExtension", "NotificationCenter", "OSLog", "ObjectiveC", "PassKit",
        "PDFKit", "Photos", "PhotosUI", "PushKit", "PushToTalk", "QuickLook", "QuickLookThumbnailing", "SafariServices",
        "Security", "Social", "Speech", "StoreKit", "SwiftData", "SwiftUI", "SystemConfiguration", "UIKit",
        "UniformTypeIdentifiers", "UserNotificationsUI", "VideoToolbox", "Vision", "WatchConnectivity", "WebKit",
        "WidgetKit", "os",
    ]
}
