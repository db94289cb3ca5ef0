// SPDX-License-Identifier: Apache-2.0

extension AttachmentType {
    /// By a media type or a uniform type identifier, and where there is none by the end of a file's name.
    ///
    /// Parameters of a media type are not looked at; upper and lower case are one.
    package init?(named type: String?, fileName: String?) {
        if let type {
            let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
            guard
                let found = AttachmentType(identifier: type) ?? Self.mediaTypes[essence].flatMap(Self.init(identifier:))
            else { return nil }
            self = found
            return
        }
        guard let fileName, let dot = fileName.lastIndex(of: "."),
            let found = AttachmentType(pathExtension: String(fileName[fileName.index(after: dot)...]))
        else { return nil }
        self = found
    }

    /// Source: IANA, media types; the forms with "x-" are what servers write.
    private static let mediaTypes = [
        "image/jpeg": "public.jpeg", "image/png": "public.png", "image/gif": "com.compuserve.gif",
        "image/heic": "public.heic", "image/webp": "org.webmproject.webp", "audio/aiff": "public.aiff-audio",
        "audio/x-aiff": "public.aiff-audio", "audio/wav": "com.microsoft.waveform-audio",
        "audio/x-wav": "com.microsoft.waveform-audio", "audio/vnd.wave": "com.microsoft.waveform-audio",
        "audio/mpeg": "public.mp3", "audio/mp4": "com.apple.m4a-audio", "audio/x-m4a": "com.apple.m4a-audio",
        "video/mpeg": "public.mpeg", "video/mp4": "public.mpeg-4", "video/avi": "public.avi",
        "video/x-msvideo": "public.avi",
    ]
}
