// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NIOCore
import NIOHTTP1
import NotificationPayload
import Testing

@testable import CenterServing

/// Every request that the API's document has, filled with what another owner's ids and names are.
struct OwnerRoutes {
    /// The texts in the places of a path's parameters.
    var ids: [String]
    var stacks: [String]
    var topics: [String]
    /// The largest number of the other owner.
    var number: String
    /// A name under which the other owner's app has sent a file.
    var upload: String

    struct Asked {
        let method: HTTPMethod
        let target: String
        let body: String?
        /// True if the request names something that only the other owner has.
        let namesForeign: Bool
    }

    /// The requests, those that only read first.
    func all() throws -> [Asked] {
        let document = PageFiles.all.document
        let paths = try #require(try JSONObject(parsing: document.span, depthLimit: 64)["paths"]?.object)
        var requests: [Asked] = []
        for path in paths.members {
            for verb in try #require(path.value.object).members where verb.key != "parameters" {
                let method = HTTPMethod(rawValue: verb.key.uppercased())
                for target in targets(path.key) {
                    for body in bodies(path.key, method) {
                        let isOfPath = path.key.contains("{id}") || path.key.contains("{stack}")
                        let isForeign = isOfPath && !path.key.contains("answers")
                        requests.append(Asked(method: method, target: target, body: body, namesForeign: isForeign))
                    }
                }
            }
        }
        return requests.filter { $0.method == .GET } + requests.filter { $0.method != .GET }
    }

    private func targets(_ path: String) -> [String] {
        var targets = [path]
        for (name, values) in [("{id}", ids), ("{stack}", stacks), ("{topic}", topics), ("{place}", ["0"])] {
            targets = targets.flatMap { target in
                target.contains(name) ? values.map { target.replacing(name, with: $0) } : [target]
            }
        }
        return targets
    }

    private func bodies(_ path: String, _ method: HTTPMethod) -> [String?] {
        switch (path, method) {
        case ("/v1/notifications/{id}/responses", _): [#"{"action":"default"}"#, #"{"action":"dismiss"}"#]
        case ("/v1/seen", _): [#"{"number":"\#(number)"}"#]
        case ("/v1/surfaces/{id}", _): [#"{"visible":true,"focused":true,"banners":true,"sound":true}"#]
        case ("/v1/views", _): [#"{"notification":"\#(number)","environment":\#(Self.environment)}"#]
        case ("/v1/views/{id}/events", .POST): [#"{"events":[{"seq":1,"node":1,"event":"press"}]}"#]
        case ("/v1/position", _): [#"{"latitude":40.4,"longitude":-3.7,"accuracy":12}"#]
        case ("/v1/owner", .PATCH): [#"{"language":"pt","doNotDisturb":{"mode":"off"}}"#]
        case ("/v1/apps/{topic}/settings", .PATCH): [#"{"sound":false}"#]
        case ("/v1/apps/{topic}/authorization", _): [#"{"decision":"allow"}"#, #"{"decision":"deny"}"#]
        case ("/v1/tokens", .POST): [#"{"name":"ana's","scopes":["read"]}"#]
        case ("/v1/sessions", .POST): [#"{"code":"none"}"#]
        case ("/v1/codes", _): ["{}"]
        case ("/v1/app/{topic}/answers/{id}", _): ["{}", #"{"options":[]}"#, #"{"result":"newData"}"#]
        case ("/v1/app/{topic}/calls", _): calls
        default: [nil]
        }
    }

    /// The place where a view is shown.
    private static let environment = """
        {"width":360,"scale":2,"style":"light","textSize":1,"direction":"leftToRight","language":"en","timeZone":"UTC",\
        "reducedMotion":false}
        """

    private var calls: [String] {
        let attachment = #"{"identifier":"a","type":"public.jpeg","upload":"\#(upload)"}"#
        let payload = #"{"aps":{"alert":"a"}}"#
        return [
            #"{"call":"settings"}"#, #"{"call":"categories"}"#, #"{"call":"pending"}"#, #"{"call":"delivered"}"#,
            #"{"call":"delivered","before":\#(number)}"#, #"{"call":"badge","count":9}"#,
            #"{"call":"setCategories","categories":[]}"#, #"{"call":"removePending"}"#,
            #"{"call":"removePending","identifiers":["zebra-later"]}"#, #"{"call":"removeDelivered"}"#,
            #"{"call":"removeDelivered","identifiers":["zebra-1","zebra-40"]}"#, #"{"call":"register"}"#,
            #"{"call":"withdraw"}"#,
            #"{"call":"add","request":{"identifier":"a","payload":\#(payload),"attachments":[\#(attachment)]}}"#,
        ]
    }
}
