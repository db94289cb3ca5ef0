// SPDX-License-Identifier: Apache-2.0

/// The part of the API that a request asks, by which requests are counted; a name that a caller made up is `other`.
enum APIRoute: String {
    case about, front, notifications, stacks, history, apps, app, owner, events, surfaces, views, seen, position
    /// Sessions, tokens and codes.
    case credentials
    /// The OpenAPI document.
    case document
    /// A file of the page.
    case page
    case metrics
    case other

    /// Reads the path of a request behind `/v1`.
    init(_ path: [String]) {
        self =
            switch path.first ?? "" {
            case "": .about
            case "front": .front
            case "notifications": .notifications
            case "stacks": .stacks
            case "history": .history
            case "apps": .apps
            case "app": .app
            case "owner": .owner
            case "events": .events
            case "surfaces": .surfaces
            case "views": .views
            case "seen": .seen
            case "position": .position
            case "sessions", "tokens", "codes": .credentials
            case "openapi.json": .document
            default: .other
            }
    }
}
