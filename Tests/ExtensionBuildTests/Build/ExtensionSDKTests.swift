// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The parts of the extension SDK that an extension gets.
struct ExtensionSDKTests {
    private let folder: String
    private let sdk: ExtensionSDK

    /// A folder whose program stands where no checkout is.
    init() throws {
        folder = NSTemporaryDirectory() + "sdk-\(UUID().uuidString)"
        sdk = ExtensionSDK(folder: folder + "/sdk")
    }

    private func write(_ names: String...) throws {
        for name in names {
            let file = URL(fileURLWithPath: folder + "/sdk/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: file)
        }
    }

    private static let use = ImportedModule(name: "CryptoKit", place: "a.swift:2")

    @Test func `cryptography is for a source that names it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("libExtensionSDK.a", "crypto/libExtensionSDKCrypto.a", "crypto/modules/CryptoKit.swiftmodule")
        var without = try ExtensionSDK.find(named: sdk.folder)
        let other = ImportedModule(name: "UserNotifications", place: "a.swift:1")
        try without.addCrypto(for: [other], hasFurtherArguments: false)
        #expect(without.archives == ["\(sdk.folder)/libExtensionSDK.a"])
        #expect(without.modules == ["\(sdk.folder)/modules"])
        #expect(!without.has(module: "CryptoKit"))

        var with = sdk
        try with.addCrypto(for: [other, Self.use], hasFurtherArguments: false)
        #expect(
            with.archives == ["\(sdk.folder)/libExtensionSDK.a", "\(sdk.folder)/crypto/libExtensionSDKCrypto.a"]
        )
        #expect(with.modules == ["\(sdk.folder)/modules", "\(sdk.folder)/crypto/modules"])
        #expect(with.has(module: "CryptoKit"))
    }

    @Test func `arguments may bring a module that uses cryptography`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("libExtensionSDK.a")
        var sdk = sdk
        try sdk.addCrypto(for: [], hasFurtherArguments: true)
        #expect(!sdk.usesCrypto)
        try write("crypto/libExtensionSDKCrypto.a")
        try sdk.addCrypto(for: [], hasFurtherArguments: true)
        #expect(sdk.usesCrypto)
    }

    @Test func `a program outside of a checkout names the command`() throws {
        let refusal = CommandError(
            "a.swift:2 names CryptoKit, which the extension SDK in \"\(sdk.folder)\" was made without",
            hint: "run this in the checkout that made it: scripts/extension-sdk --with-crypto \(sdk.folder)"
        )
        var sdk = sdk
        #expect(throws: refusal) {
            try sdk.addCrypto(for: [Self.use], hasFurtherArguments: false, program: folder + "/usr/local/bin")
        }
    }
}
