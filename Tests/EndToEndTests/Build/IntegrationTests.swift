// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostTesting
import NotificationPayload
import ProjectFixtures
import Testing

/// The stand-ins of Integrations for what push services do in a service extension, built and run by the real program.
///
/// The extensions are those of the services' documentation. Their hosts are a server in a network of the test's own.
@Suite(.timeLimit(.minutes(15)), .enabled(if: geteuid() == 0, "needs root, for a network of its own"))
struct IntegrationTests {
    private static let integrations = Programs.root + "/Integrations"
    private static let photo = "https://media.example.com/photo.png"
    private static let silent = "https://media.example.com/silent"
    /// Two seconds until the last call, for an extension whose file does not come; twice in one process, whose log has
    /// a second call of the first handler.
    private static let short = ["--budget", "4s", "--grace", "2s", "--times", "2", "--workers", "1"]

    // MARK: FirebaseMessaging

    private static let firebase = service(
        "FirebaseMessaging",
        receive: """
            Messaging.serviceExtension().exportDeliveryMetricsToBigQuery(withMessageInfo: request.content.userInfo)
            Messaging.serviceExtension().populateNotificationContent(content, withContentHandler: contentHandler)
            """,
        expire: "contentHandler(content)"
    )

    private static func firebasePush(_ image: String) -> String {
        #"{"aps":{"alert":{"title":"Alice"},"mutable-content":1},"fcm_options":{"image":"\#(image)"}}"#
    }

    /// A project of Xcode that links products of packages, which it does not have.
    private func project(linking products: [String], imports: [String]) throws -> ProjectFixture {
        let fixture = try ProjectFixture()
        try fixture.write(Self.information(["media.example.com"]), "Service/Info.plist")
        let imported = imports.map { "import \($0)\n" }.joined()
        try fixture.write(imported + Self.firebase, "Service/NotificationService.swift")
        let source = fixture.file("NotificationService.swift")
        _ = fixture.group("Service", [source])
        let made = products.map { fixture.add("XCSwiftPackageProductDependency", $0, [("productName", .text($0))]) }
        let links = made.map { fixture.add("PBXBuildFile", "", [("productRef", .text($0))]) }
        fixture.target(
            "Service",
            phases: [
                fixture.phase("PBXSourcesBuildPhase", [source]),
                fixture.add("PBXFrameworksBuildPhase", "", [("files", .texts(links))]),
            ],
            [
                ("INFOPLIST_FILE", "Service/Info.plist"), ("PRODUCT_BUNDLE_IDENTIFIER", "com.example.chat.service"),
                ("GENERATE_INFOPLIST_FILE", "YES"),
            ],
            [("packageProductDependencies", .texts(made))]
        )
        try fixture.save()
        return fixture
    }

    @Test func `a project that links all the products is built with --packages, and Firebase's picture is attached`()
        async throws
    {
        let fixture = try project(
            linking: [
                "FirebaseMessaging", "OneSignalExtension", "CTNotificationService", "MessagingPushAPN",
                "MessagingPushFCM",
            ],
            imports: ["CTNotificationService", "CioMessagingPushAPN", "CioMessagingPushFCM", "OneSignalExtension"]
        )
        let bundle = fixture.folder.path + "/Made.appex"
        let built = try await CommandResult.run(
            Programs.extensionHost,
            ["build", fixture.project.path, "--packages", Self.integrations, "-o", bundle]
        )
        #expect(built.errors == "extension-host: made \(bundle)\n")
        try #require(built.status == 0)
        try await VendorNetwork.with { network in
            let run = try await network.run(bundle, Self.firebasePush(Self.photo))
            #expect(run.types == ["public.png"])
            #expect(run.record.outcome == "modified")
            #expect(run.errors.contains("[FirebaseMessaging:integration] deliveries are not exported to BigQuery"))
            #expect(run.requests.isEmpty)
        }
    }

    @Test func `a picture that does not come leaves the notification as it is, and the log says why`() async throws {
        try await Project.with(
            ["NotificationService.swift": Self.firebase],
            information: Self.information(["media.example.com"])
        ) { project in
            try await build(project, ["FirebaseMessaging"])
            try await VendorNetwork.with { network in
                for (image, reason) in [
                    ("https://media.example.com/gone.png", "the server answered with status 404"),
                    ("https://media.example.com/long.png", "the answer has more than 50000000 bytes"),
                    ("https://media.example.com/unsaid/long.png", "the answer has more than 50000000 bytes"),
                    ("https://elsewhere.example.com/photo.png", "the server answered with status 403"),
                    ("file:///etc/hostname", "an address is neither http nor https"),
                ] {
                    let run = try await network.run(project.bundle, Self.firebasePush(image))
                    #expect(run.errors.contains("nothing is attached: \(reason)"), "\(image): \(run.errors)")
                    #expect(run.types == [])
                    #expect(run.record.outcome == "modified")
                    #expect(run.record.alert == ["title": "Alice"])
                    #expect(run.errors.contains("not in NetworkHosts") == image.contains("elsewhere"))
                    #expect(!run.errors.contains("called again"))
                }
            }
        }
    }

    // MARK: CTNotificationService

    private static let cleverTap = """
        import CTNotificationService

        class NotificationService: CTNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                if request.content.userInfo["picture"] != nil { mediaUrlKey = "picture" }
                super.didReceive(request, withContentHandler: contentHandler)
            }
        }
        """

    @Test func `CleverTap's class attaches the file of its keys or of an app's own, as the kind that they say`()
        async throws
    {
        try await Project.with(
            ["NotificationService.swift": Self.cleverTap],
            information: Self.information(["media.example.com"])
        ) { project in
            try await build(project, ["CTNotificationService"])
            let alert = #""aps":{"alert":{"title":"Alice"},"mutable-content":1}"#
            try await VendorNetwork.with { network in
                for (keys, types) in [
                    (#""ct_mediaUrl":"\#(Self.photo)","ct_mediaType":"gif""#, ["public.png"]),
                    (#""ct_mediaUrl":"\#(Self.photo)","ct_mediaType":"image""#, ["public.jpeg"]),
                    (#""picture":"https://media.example.com/typed/photo.png","ct_mediaType":"image""#, ["public.png"]),
                    (#""ct_mediaUrl":"\#(Self.photo)""#, []),
                ] {
                    let run = try await network.run(project.bundle, "{\(alert),\(keys)}")
                    #expect(run.types == types, "\(keys): \(run.errors)")
                    #expect(run.record.outcome == "modified")
                }
                let late = try await network.run(
                    project.bundle,
                    #"{\#(alert),"ct_mediaUrl":"\#(Self.silent)","ct_mediaType":"image"}"#,
                    Self.short
                )
                #expect(late.record.outcome == "modified")
                #expect(late.types == [])
                #expect(!late.errors.contains("called again"))
            }
        }
    }

    // MARK: OneSignalExtension

    /// With what the app has put into the app group, unless it has not been opened yet.
    private static func oneSignal(wasOpened: Bool) -> String {
        let settings = """
            if let shared = UserDefaults(suiteName: "group.com.example.chat.onesignal") {
                shared.set("app-1", forKey: "GT_APP_ID")
                shared.set("subscription-1", forKey: "OSUD_PUSH_SUBSCRIPTION_ID")
                shared.set(true, forKey: "OS_ENABLE_RECEIVE_RECEIPTS")
            }

            """
        return service(
            "OneSignalExtension",
            receive: (wasOpened ? settings : "") + """
                OneSignalExtension.didReceiveNotificationExtensionRequest(
                    request, with: content, withContentHandler: contentHandler
                )
                """,
            expire: """
                OneSignalExtension.serviceExtensionTimeWillExpireRequest(request, with: content)
                contentHandler(content)
                """
        )
    }

    private func withOneSignal(
        wasOpened: Bool,
        hosts: [String],
        _ body: (Project, VendorNetwork) async throws -> Void
    ) async throws {
        try await Project.with(
            ["NotificationService.swift": Self.oneSignal(wasOpened: wasOpened)],
            information: Self.information(hosts, groups: ["group.com.example.chat.onesignal"])
        ) { project in
            try await build(project, ["OneSignalExtension"])
            try await VendorNetwork.with { try await body(project, $0) }
        }
    }

    @Test func `OneSignal's files, badge and buttons are there, and the delivery is confirmed before`() async throws {
        let push = """
            {"aps":{"alert":{"title":"Alice"},"mutable-content":1},
            "att":{"a":"\(Self.photo)","b":"https://media.example.com/picture?filename=photo.jpg"},
            "buttons":[{"i":"yes","n":"Yes"},{"n":"No"}],"custom":{"i":"0a1b-2c","badge_inc":2}}
            """
        try await withOneSignal(wasOpened: true, hosts: ["media.example.com", "api.onesignal.com"]) {
            project,
            network in
            let run = try await network.run(project.bundle, push)
            #expect(run.types == ["public.png", "public.jpeg"], "\(run.errors)")
            let aps = run.record.payload?.aps
            #expect(aps?["badge"]?.integer == 2)
            #expect(aps?["category"]?.string == "__onesignal__dynamic__0a1b-2c")
            #expect(
                run.requests == [
                    [
                        "method": "PUT", "address": "api.onesignal.com/notifications/0a1b-2c/report_received",
                        "body": #"{"app_id":"app-1","device_type":0,"player_id":"subscription-1"}"#,
                        "authorization": "", "content-type": "application/json",
                        "accept": "application/vnd.onesignal.v1+json",
                    ]
                ]
            )
            #expect(run.errors.contains("received notifications are not kept for outcomes"))
            #expect(!run.errors.contains("called again"))
        }
    }

    @Test func `at OneSignal's last call the files that came are handed over, once`() async throws {
        let push = """
            {"aps":{"alert":{"title":"Alice"},"mutable-content":1},"os_data":{"i":"0a1b",
            "att":{"a":"\(Self.photo)","b":"\(Self.silent)"},"buttons":{"o":[{"n":"Yes"}]}}}
            """
        try await withOneSignal(wasOpened: true, hosts: ["media.example.com"]) { project, network in
            let run = try await network.run(project.bundle, push, Self.short)
            #expect(run.record.outcome == "modified", "\(run.errors)")
            #expect(run.types == ["public.png"])
            #expect(run.record.payload?.aps?["category"]?.string == "__onesignal__dynamic__0a1b")
            #expect(run.errors.contains("network.host=api.onesignal.com:443 network.reason=not in NetworkHosts"))
            #expect(run.errors.contains("the report did not arrive: the server answered with status 403"))
            #expect(!run.errors.contains("called again"))
            #expect(run.requests.isEmpty)
        }
    }

    @Test func `a delivery that OneSignal's app has no identifiers for is not confirmed, and the log says so`()
        async throws
    {
        let push = """
            {"aps":{"alert":{"title":"Alice"},"mutable-content":1},"custom":{"i":"0a1b"},"att":{"a":"\(Self.photo)"}}
            """
        try await withOneSignal(wasOpened: false, hosts: ["media.example.com", "api.onesignal.com"]) {
            project,
            network in
            let run = try await network.run(project.bundle, push)
            #expect(run.types == ["public.png"])
            #expect(run.requests.isEmpty)
            #expect(
                run.errors.contains(
                    "deliveries are not confirmed: the app group has no GT_APP_ID and OSUD_PUSH_SUBSCRIPTION_ID"
                )
            )
        }
    }

    // MARK: CioMessagingPush

    private static func customer(_ way: String, key: String, region: String) -> String {
        service(
            "CioMessagingPush\(way)",
            receive: """
                MessagingPush\(way).initializeForExtension(
                    withConfig: MessagingPushConfigBuilder(cdpApiKey: "\(key)").region(.\(region)).build()
                )
                if !MessagingPush.shared.didReceive(request, withContentHandler: contentHandler) {
                    content.subtitle = "not of Customer.io"
                    contentHandler(content)
                }
                """,
            expire: "MessagingPush.shared.serviceExtensionTimeWillExpire()"
        )
    }

    private static func customerPush(_ image: String) -> String {
        """
        {"aps":{"alert":{"title":"Alice"},"mutable-content":1},"CIO-Delivery-ID":"d1","CIO-Delivery-Token":"t1",
        "CIO":{"push":{"image":"\(image)"}}}
        """
    }

    @Test(arguments: [("APN", "US", "cdp.customer.io"), ("FCM", "EU", "cdp-eu.customer.io")])
    func `Customer.io's picture is attached and the delivery is reported to the data centre of its region`(
        way: String,
        region: String,
        host: String
    ) async throws {
        try await Project.with(
            ["NotificationService.swift": Self.customer(way, key: "key", region: region)],
            information: Self.information(["media.example.com", host])
        ) { project in
            try await build(project, ["CioMessagingPush", "CioMessagingPush\(way)"])
            try await VendorNetwork.with { network in
                let run = try await network.run(project.bundle, Self.customerPush(Self.photo))
                #expect(run.types == ["public.png"], "\(run.errors)")
                #expect(
                    run.requests == [
                        [
                            "method": "POST", "address": .string("\(host)/v1/track"),
                            "body": """
                            {"anonymousId":"d1","event":"Report Delivery Event",\
                            "properties":{"deliveryId":"d1","metric":"delivered","recipient":"t1"}}
                            """,
                            "authorization": "Basic a2V5Og==", "content-type": "application/json; charset=utf-8",
                            "accept": "*/*",
                        ]
                    ]
                )
                #expect(run.errors.contains("a report that does not arrive is not kept for the app"))
                let other = try await network.run(project.bundle, Project.push)
                #expect(other.record.alert?["subtitle"]?.string == "not of Customer.io")
                #expect(other.requests.isEmpty)
                let late = try await network.run(project.bundle, Self.customerPush(Self.silent), Self.short)
                #expect(late.record.outcome == "modified")
                #expect(late.types == [])
                #expect(late.requests.count == 2)
                #expect(!late.errors.contains("called again"))
            }
        }
    }

    @Test func `without a key nothing is reported to Customer.io, and the log says so`() async throws {
        try await Project.with(
            ["NotificationService.swift": Self.customer("APN", key: "", region: "US")],
            information: Self.information(["media.example.com", "cdp.customer.io"])
        ) { project in
            try await build(project, ["CioMessagingPush", "CioMessagingPushAPN"])
            try await VendorNetwork.with { network in
                let run = try await network.run(project.bundle, Self.customerPush(Self.photo))
                #expect(run.types == ["public.png"], "\(run.errors)")
                #expect(run.requests.isEmpty)
                #expect(run.errors.contains("deliveries are not reported: the options have no cdpApiKey"))
            }
        }
    }

    // MARK: Parts

    /// Builds with modules of Integrations, as one does whose project has pods.
    private func build(_ project: Project, _ modules: [String]) async throws {
        let sources = Self.integrations + "/PushSDKs/Sources/"
        let options = (["PushDelivery"] + modules).flatMap { ["--module", "\($0)=\(sources)\($0)"] }
        let built = try await project.build(options)
        #expect(built.errors == "extension-host: made \(project.bundle)\n")
        try #require(built.status == 0)
    }

    /// A service as the template of Xcode has it, whose functions do this with `request`, `content` and
    /// `contentHandler`.
    private static func service(_ module: String, receive: String, expire: String) -> String {
        """
        import \(module)
        import UserNotifications

        class NotificationService: UNNotificationServiceExtension {
            var contentHandler: ((UNNotificationContent) -> Void)?
            var receivedRequest: UNNotificationRequest?
            var bestAttemptContent: UNMutableNotificationContent?

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                self.contentHandler = contentHandler
                receivedRequest = request
                bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
                guard let content = bestAttemptContent else { return }
                \(receive)
            }

            override func serviceExtensionTimeWillExpire() {
                guard let contentHandler, let request = receivedRequest, let content = bestAttemptContent
                else { return }
                _ = (contentHandler, request, content)
                \(expire)
            }
        }
        """
    }

    /// The template's Info.plist with hosts and app groups.
    private static func information(_ hosts: [String], groups: [String] = []) -> String {
        func list(_ key: String, _ values: [String]) -> String {
            "<key>\(key)</key><array>\(values.map { "<string>\($0)</string>" }.joined())</array>"
        }
        let attributes = "<dict>\(list("NetworkHosts", hosts))\(list("AppGroups", groups))</dict>"
        return Project.template.replacing(
            "<key>NSExtensionPointIdentifier</key>",
            with: "<key>NSExtensionAttributes</key>\(attributes)<key>NSExtensionPointIdentifier</key>"
        )
    }
}
