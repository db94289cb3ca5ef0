// SPDX-License-Identifier: Apache-2.0

/// The declaration of a type: its identifier, extensions, MIME types, parents and description.
struct TypeDeclaration: Sendable {
    let identifier: String
    let extensions: [String]
    let mimeTypes: [String]
    let parents: [String]
    let description: String

    /// Lists of words; the first of each is preferred.
    init(_ identifier: String, _ parents: String, _ extensions: String, _ mimeTypes: String, _ description: String) {
        self.identifier = identifier
        self.parents = parents.split(separator: " ").map(String.init)
        self.extensions = extensions.split(separator: " ").map(String.init)
        self.mimeTypes = mimeTypes.split(separator: " ").map(String.init)
        self.description = description
    }
}

/// The types that are declared, made at first use.
enum TypeTable {
    private static let declarations: [String: TypeDeclaration] = Dictionary(
        uniqueKeysWithValues: TypeDeclaration.all.map { ($0.identifier.lowercased(), $0) }
    )

    private static let identifiersOfTags: [UTTagClass: [String: [String]]] = {
        var extensions: [String: [String]] = [:]
        var mimeTypes: [String: [String]] = [:]
        for declaration in TypeDeclaration.all {
            for name in declaration.extensions { extensions[name, default: []].append(declaration.identifier) }
            for name in declaration.mimeTypes { mimeTypes[name, default: []].append(declaration.identifier) }
        }
        return [.filenameExtension: extensions, .mimeType: mimeTypes]
    }()

    static func declaration(of identifier: String) -> TypeDeclaration? { declarations[identifier.lowercased()] }

    static func identifiers(of tag: String, _ tagClass: UTTagClass) -> [String] {
        identifiersOfTags[tagClass]?[tag] ?? []
    }
}

extension TypeDeclaration {
    /// Identifier, what it conforms to, extensions, MIME types, words.
    ///
    /// Source: Apple's list of system-declared uniform type identifiers.
    static let all = [
        TypeDeclaration("public.item", "", "", "", "item"),
        TypeDeclaration("public.content", "", "", "", "content"),
        TypeDeclaration("public.composite-content", "public.content", "", "", "composite content"),
        TypeDeclaration("public.data", "public.item", "", "", "data"),
        TypeDeclaration("public.directory", "public.item", "", "", "directory"),
        TypeDeclaration("public.folder", "public.directory", "", "", "folder"),
        TypeDeclaration("com.apple.resolvable", "", "", "", "resolvable"),
        TypeDeclaration("public.symlink", "public.item com.apple.resolvable", "", "", "symbolic link"),
        TypeDeclaration("public.executable", "public.item", "", "", "executable"),
        TypeDeclaration("public.url", "public.data", "", "", "URL"),
        TypeDeclaration("public.file-url", "public.url", "", "", "file URL"),
        TypeDeclaration("public.contact", "public.content", "", "", "contact"),
        TypeDeclaration("public.message", "public.content", "", "", "message"),
        TypeDeclaration("public.database", "", "", "", "database"),
        TypeDeclaration("public.archive", "public.data", "", "", "archive"),
        TypeDeclaration("public.text", "public.data public.content", "", "", "text"),
        TypeDeclaration("public.plain-text", "public.text", "txt text", "text/plain", "plain text"),
        TypeDeclaration("public.utf8-plain-text", "public.plain-text", "", "text/plain;charset=utf-8", "Unicode text"),
        TypeDeclaration("public.rtf", "public.text", "rtf", "text/rtf application/rtf", "RTF document"),
        TypeDeclaration("public.html", "public.text", "html htm shtml shtm", "text/html", "HTML text"),
        TypeDeclaration("public.xml", "public.text", "xml", "application/xml text/xml", "XML text"),
        TypeDeclaration("public.yaml", "public.text", "yaml yml", "application/x-yaml text/yaml", "YAML document"),
        TypeDeclaration("public.css", "public.text", "css", "text/css", "CSS"),
        TypeDeclaration("public.source-code", "public.plain-text", "", "", "source code"),
        TypeDeclaration("public.script", "public.source-code", "", "", "script"),
        TypeDeclaration(
            "com.netscape.javascript-source",
            "public.script",
            "js jscript javascript mjs",
            "text/javascript application/javascript",
            "JavaScript"
        ),
        TypeDeclaration("public.shell-script", "public.script", "sh command", "", "shell script"),
        TypeDeclaration("public.python-script", "public.script", "py", "text/x-python-script", "Python script"),
        TypeDeclaration("public.swift-source", "public.source-code", "swift", "", "Swift source"),
        TypeDeclaration("public.json", "public.text", "json", "application/json", "JSON"),
        TypeDeclaration("com.apple.property-list", "public.data", "plist", "", "property list"),
        TypeDeclaration(
            "com.apple.xml-property-list",
            "public.xml com.apple.property-list",
            "",
            "",
            "XML property list"
        ),
        TypeDeclaration("com.apple.binary-property-list", "com.apple.property-list", "", "", "binary property list"),
        TypeDeclaration("public.delimited-values-text", "public.text", "", "", "delimited text"),
        TypeDeclaration(
            "public.comma-separated-values-text",
            "public.delimited-values-text",
            "csv",
            "text/csv",
            "CSV document"
        ),
        TypeDeclaration(
            "public.tab-separated-values-text",
            "public.delimited-values-text",
            "tsv",
            "text/tab-separated-values",
            "TSV document"
        ),
        TypeDeclaration("public.log", "public.plain-text", "log", "", "log"),
        TypeDeclaration("public.vcard", "public.text public.contact", "vcf vcard", "text/vcard text/x-vcard", "vCard"),
        TypeDeclaration("public.calendar-event", "", "", "", "calendar event"),
        TypeDeclaration(
            "public.email-message",
            "public.data public.message",
            "eml",
            "message/rfc822",
            "e-mail message"
        ),
        TypeDeclaration("public.image", "public.data public.content", "", "", "image"),
        TypeDeclaration("public.jpeg", "public.image", "jpeg jpg jpe", "image/jpeg image/jpg", "JPEG image"),
        TypeDeclaration("public.png", "public.image", "png", "image/png", "PNG image"),
        TypeDeclaration("com.compuserve.gif", "public.image", "gif", "image/gif", "GIF image"),
        TypeDeclaration("public.tiff", "public.image", "tiff tif", "image/tiff", "TIFF image"),
        TypeDeclaration("com.microsoft.bmp", "public.image", "bmp dib", "image/bmp", "BMP image"),
        TypeDeclaration(
            "com.microsoft.ico",
            "public.image",
            "ico",
            "image/vnd.microsoft.icon image/x-icon",
            "Windows icon"
        ),
        TypeDeclaration("com.apple.icns", "public.image", "icns", "", "icon"),
        TypeDeclaration("public.svg-image", "public.image public.xml", "svg svgz", "image/svg+xml", "SVG image"),
        TypeDeclaration("org.webmproject.webp", "public.image", "webp", "image/webp", "WebP image"),
        TypeDeclaration("public.heif", "public.image", "heif", "image/heif", "HEIF image"),
        TypeDeclaration("public.heic", "public.heif", "heic", "image/heic", "HEIC image"),
        TypeDeclaration("public.camera-raw-image", "public.image", "", "", "raw image"),
        TypeDeclaration("com.apple.live-photo", "", "", "", "live photo"),
        TypeDeclaration("public.audiovisual-content", "public.data public.content", "", "", "audiovisual content"),
        TypeDeclaration("public.movie", "public.audiovisual-content", "", "", "movie"),
        TypeDeclaration("public.video", "public.movie", "", "", "video"),
        TypeDeclaration("com.apple.quicktime-movie", "public.movie", "mov qt", "video/quicktime", "QuickTime movie"),
        TypeDeclaration("public.mpeg", "public.movie", "mpg mpeg mpe m75 m15", "video/mpeg", "MPEG movie"),
        TypeDeclaration("public.mpeg-2-video", "public.video", "m2v", "video/mpeg2", "MPEG-2 video"),
        TypeDeclaration("public.mpeg-2-transport-stream", "public.movie", "ts", "", "MPEG-2 transport stream"),
        TypeDeclaration("public.mpeg-4", "public.movie", "mp4 mpg4", "video/mp4", "MPEG-4 movie"),
        TypeDeclaration(
            "com.apple.protected-mpeg-4-video",
            "public.movie",
            "m4v",
            "video/x-m4v",
            "protected MPEG-4 movie"
        ),
        TypeDeclaration("public.avi", "public.movie", "avi vfw", "video/avi video/x-msvideo", "AVI movie"),
        TypeDeclaration("public.audio", "public.audiovisual-content", "", "", "audio"),
        TypeDeclaration("public.mp3", "public.audio", "mp3 mpga", "audio/mpeg audio/mp3 audio/mpeg3", "MP3 audio"),
        TypeDeclaration("public.mpeg-4-audio", "public.audio", "mp4a", "audio/mp4", "MPEG-4 audio"),
        TypeDeclaration("com.apple.m4a-audio", "public.mpeg-4-audio", "m4a", "audio/x-m4a audio/m4a", "M4A audio"),
        TypeDeclaration("com.apple.protected-mpeg-4-audio", "public.audio", "m4p", "", "protected MPEG-4 audio"),
        TypeDeclaration("public.aiff-audio", "public.audio", "aiff aif", "audio/aiff audio/x-aiff", "AIFF audio"),
        TypeDeclaration(
            "com.microsoft.waveform-audio",
            "public.audio",
            "wav wave",
            "audio/vnd.wave audio/wav audio/x-wav",
            "WAVE audio"
        ),
        TypeDeclaration("public.midi-audio", "public.audio", "midi mid", "audio/midi", "MIDI audio"),
        TypeDeclaration("public.playlist", "", "", "", "playlist"),
        TypeDeclaration(
            "public.m3u-playlist",
            "public.playlist public.text",
            "m3u m3u8",
            "audio/mpegurl",
            "M3U playlist"
        ),
        TypeDeclaration(
            "com.adobe.pdf",
            "public.data public.composite-content",
            "pdf",
            "application/pdf",
            "PDF document"
        ),
        TypeDeclaration("com.apple.rtfd", "public.composite-content", "rtfd", "", "RTFD document"),
        TypeDeclaration("public.spreadsheet", "public.content", "", "", "spreadsheet"),
        TypeDeclaration("public.presentation", "public.composite-content", "", "", "presentation"),
        TypeDeclaration("public.zip-archive", "public.archive", "zip", "application/zip", "ZIP archive"),
        TypeDeclaration(
            "org.gnu.gnu-zip-archive",
            "public.archive",
            "gz gzip",
            "application/gzip application/x-gzip",
            "GZip archive"
        ),
        TypeDeclaration("public.bzip2-archive", "public.archive", "bz2 bzip2", "application/x-bzip2", "BZip2 archive"),
        TypeDeclaration(
            "org.idpf.epub-container",
            "public.data public.composite-content",
            "epub",
            "application/epub+zip",
            "EPUB document"
        ),
        TypeDeclaration("public.font", "public.data", "ttf otf", "", "font"),
        TypeDeclaration("com.rsa.pkcs-12", "public.data", "p12 pfx", "application/x-pkcs12", "PKCS #12 data"),
        TypeDeclaration(
            "public.x509-certificate",
            "public.data",
            "cer crt der",
            "application/x-x509-ca-cert",
            "certificate"
        ),
        TypeDeclaration("com.apple.alias-file", "public.data com.apple.resolvable", "", "", "alias"),
        TypeDeclaration("public.bookmark", "", "", "", "bookmark"),
        TypeDeclaration("com.apple.internet-location", "public.data", "", "", "Internet location"),
        TypeDeclaration(
            "com.pixar.universal-scene-description-mobile",
            "public.data",
            "usdz",
            "model/vnd.usdz+zip",
            "USDZ model"
        ),
    ]
}
