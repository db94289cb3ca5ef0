// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The extensions of files that an attachment can have.
///
/// Source: Apple, "UNNotificationAttachment"; and the types that OneSignal lists.
public enum FileExtension {
    private static let byType = [
        "image/jpeg": "jpg", "image/jpg": "jpg", "image/png": "png", "image/gif": "gif", "image/heic": "heic",
        "image/webp": "webp", "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/wav": "wav", "audio/x-wav": "wav",
        "audio/aiff": "aiff", "audio/x-aiff": "aiff", "audio/mp4": "m4a", "audio/x-m4a": "m4a", "video/mp4": "mp4",
        "video/x-m4v": "m4v", "video/mpeg": "mpg", "video/avi": "avi", "video/x-msvideo": "avi",
    ]
    private static let known = Set(byType.values).union(["jpeg", "mpeg", "aif"])

    /// Returns the extension of a file of that type; `nil` for a type that no attachment has.
    public static func ofType(_ type: String?) -> String? { type.flatMap { byType[$0.lowercased()] } }

    /// Returns the extension at the end of a name, in lower case; `nil` for one that no attachment has.
    public static func ofName(_ name: String?) -> String? {
        guard let name, name.contains(".") else { return nil }
        let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return known.contains(end) ? end : nil
    }

    /// Returns the extension that an answer says: by the name that the server gave, its type, or its address.
    @Sendable public static func ofAnswer(_ response: HTTPURLResponse) -> String? {
        // Without a name of the server's, Foundation on Linux says "Unknown".
        ofName(response.suggestedFilename) ?? ofType(response.mimeType) ?? ofName(response.url?.lastPathComponent)
    }
}
