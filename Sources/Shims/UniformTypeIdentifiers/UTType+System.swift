// SPDX-License-Identifier: Apache-2.0

extension UTType {
    /// `public.item`.
    public static var item: UTType { UTType(known: "public.item") }
    /// `public.content`.
    public static var content: UTType { UTType(known: "public.content") }
    /// `public.composite-content`.
    public static var compositeContent: UTType { UTType(known: "public.composite-content") }
    /// `public.data`.
    public static var data: UTType { UTType(known: "public.data") }
    /// `public.directory`.
    public static var directory: UTType { UTType(known: "public.directory") }
    /// `public.folder`.
    public static var folder: UTType { UTType(known: "public.folder") }
    /// `com.apple.resolvable`.
    public static var resolvable: UTType { UTType(known: "com.apple.resolvable") }
    /// `public.symlink`.
    public static var symbolicLink: UTType { UTType(known: "public.symlink") }
    /// `public.executable`.
    public static var executable: UTType { UTType(known: "public.executable") }
    /// `public.url`.
    public static var url: UTType { UTType(known: "public.url") }
    /// `public.file-url`.
    public static var fileURL: UTType { UTType(known: "public.file-url") }
    /// `public.contact`.
    public static var contact: UTType { UTType(known: "public.contact") }
    /// `public.message`.
    public static var message: UTType { UTType(known: "public.message") }
    /// `public.database`.
    public static var database: UTType { UTType(known: "public.database") }
    /// `public.archive`.
    public static var archive: UTType { UTType(known: "public.archive") }
    /// `public.text`.
    public static var text: UTType { UTType(known: "public.text") }
    /// `public.plain-text`.
    public static var plainText: UTType { UTType(known: "public.plain-text") }
    /// `public.utf8-plain-text`.
    public static var utf8PlainText: UTType { UTType(known: "public.utf8-plain-text") }
    /// `public.rtf`.
    public static var rtf: UTType { UTType(known: "public.rtf") }
    /// `public.html`.
    public static var html: UTType { UTType(known: "public.html") }
    /// `public.xml`.
    public static var xml: UTType { UTType(known: "public.xml") }
    /// `public.yaml`.
    public static var yaml: UTType { UTType(known: "public.yaml") }
    /// `public.css`.
    public static var css: UTType { UTType(known: "public.css") }
    /// `public.source-code`.
    public static var sourceCode: UTType { UTType(known: "public.source-code") }
    /// `public.script`.
    public static var script: UTType { UTType(known: "public.script") }
    /// `com.netscape.javascript-source`.
    public static var javaScript: UTType { UTType(known: "com.netscape.javascript-source") }
    /// `public.shell-script`.
    public static var shellScript: UTType { UTType(known: "public.shell-script") }
    /// `public.python-script`.
    public static var pythonScript: UTType { UTType(known: "public.python-script") }
    /// `public.swift-source`.
    public static var swiftSource: UTType { UTType(known: "public.swift-source") }
    /// `public.json`.
    public static var json: UTType { UTType(known: "public.json") }
    /// `com.apple.property-list`.
    public static var propertyList: UTType { UTType(known: "com.apple.property-list") }
    /// `com.apple.xml-property-list`.
    public static var xmlPropertyList: UTType { UTType(known: "com.apple.xml-property-list") }
    /// `com.apple.binary-property-list`.
    public static var binaryPropertyList: UTType { UTType(known: "com.apple.binary-property-list") }
    /// `public.delimited-values-text`.
    public static var delimitedText: UTType { UTType(known: "public.delimited-values-text") }
    /// `public.comma-separated-values-text`.
    public static var commaSeparatedText: UTType { UTType(known: "public.comma-separated-values-text") }
    /// `public.tab-separated-values-text`.
    public static var tabSeparatedText: UTType { UTType(known: "public.tab-separated-values-text") }
    /// `public.log`.
    public static var log: UTType { UTType(known: "public.log") }
    /// `public.vcard`.
    public static var vCard: UTType { UTType(known: "public.vcard") }
    /// `public.calendar-event`.
    public static var calendarEvent: UTType { UTType(known: "public.calendar-event") }
    /// `public.email-message`.
    public static var emailMessage: UTType { UTType(known: "public.email-message") }
    /// `public.image`.
    public static var image: UTType { UTType(known: "public.image") }
    /// `public.jpeg`.
    public static var jpeg: UTType { UTType(known: "public.jpeg") }
    /// `public.png`.
    public static var png: UTType { UTType(known: "public.png") }
    /// `com.compuserve.gif`.
    public static var gif: UTType { UTType(known: "com.compuserve.gif") }
    /// `public.tiff`.
    public static var tiff: UTType { UTType(known: "public.tiff") }
    /// `com.microsoft.bmp`.
    public static var bmp: UTType { UTType(known: "com.microsoft.bmp") }
    /// `com.microsoft.ico`.
    public static var ico: UTType { UTType(known: "com.microsoft.ico") }
    /// `com.apple.icns`.
    public static var icns: UTType { UTType(known: "com.apple.icns") }
    /// `public.svg-image`.
    public static var svg: UTType { UTType(known: "public.svg-image") }
    /// `org.webmproject.webp`.
    public static var webP: UTType { UTType(known: "org.webmproject.webp") }
    /// `public.heif`.
    public static var heif: UTType { UTType(known: "public.heif") }
    /// `public.heic`.
    public static var heic: UTType { UTType(known: "public.heic") }
    /// `public.camera-raw-image`.
    public static var rawImage: UTType { UTType(known: "public.camera-raw-image") }
    /// `com.apple.live-photo`.
    public static var livePhoto: UTType { UTType(known: "com.apple.live-photo") }
    /// `public.audiovisual-content`.
    public static var audiovisualContent: UTType { UTType(known: "public.audiovisual-content") }
    /// `public.movie`.
    public static var movie: UTType { UTType(known: "public.movie") }
    /// `public.video`.
    public static var video: UTType { UTType(known: "public.video") }
    /// `com.apple.quicktime-movie`.
    public static var quickTimeMovie: UTType { UTType(known: "com.apple.quicktime-movie") }
    /// `public.mpeg`.
    public static var mpeg: UTType { UTType(known: "public.mpeg") }
    /// `public.mpeg-2-video`.
    public static var mpeg2Video: UTType { UTType(known: "public.mpeg-2-video") }
    /// `public.mpeg-2-transport-stream`.
    public static var mpeg2TransportStream: UTType { UTType(known: "public.mpeg-2-transport-stream") }
    /// `public.mpeg-4`.
    public static var mpeg4Movie: UTType { UTType(known: "public.mpeg-4") }
    /// `com.apple.protected-mpeg-4-video`.
    public static var appleProtectedMPEG4Video: UTType { UTType(known: "com.apple.protected-mpeg-4-video") }
    /// `public.avi`.
    public static var avi: UTType { UTType(known: "public.avi") }
    /// `public.audio`.
    public static var audio: UTType { UTType(known: "public.audio") }
    /// `public.mp3`.
    public static var mp3: UTType { UTType(known: "public.mp3") }
    /// `public.mpeg-4-audio`.
    public static var mpeg4Audio: UTType { UTType(known: "public.mpeg-4-audio") }
    /// `com.apple.protected-mpeg-4-audio`.
    public static var appleProtectedMPEG4Audio: UTType { UTType(known: "com.apple.protected-mpeg-4-audio") }
    /// `public.aiff-audio`.
    public static var aiff: UTType { UTType(known: "public.aiff-audio") }
    /// `com.microsoft.waveform-audio`.
    public static var wav: UTType { UTType(known: "com.microsoft.waveform-audio") }
    /// `public.midi-audio`.
    public static var midi: UTType { UTType(known: "public.midi-audio") }
    /// `public.playlist`.
    public static var playlist: UTType { UTType(known: "public.playlist") }
    /// `public.m3u-playlist`.
    public static var m3uPlaylist: UTType { UTType(known: "public.m3u-playlist") }
    /// `com.adobe.pdf`.
    public static var pdf: UTType { UTType(known: "com.adobe.pdf") }
    /// `com.apple.rtfd`.
    public static var rtfd: UTType { UTType(known: "com.apple.rtfd") }
    /// `public.spreadsheet`.
    public static var spreadsheet: UTType { UTType(known: "public.spreadsheet") }
    /// `public.presentation`.
    public static var presentation: UTType { UTType(known: "public.presentation") }
    /// `public.zip-archive`.
    public static var zip: UTType { UTType(known: "public.zip-archive") }
    /// `org.gnu.gnu-zip-archive`.
    public static var gzip: UTType { UTType(known: "org.gnu.gnu-zip-archive") }
    /// `public.bzip2-archive`.
    public static var bz2: UTType { UTType(known: "public.bzip2-archive") }
    /// `org.idpf.epub-container`.
    public static var epub: UTType { UTType(known: "org.idpf.epub-container") }
    /// `public.font`.
    public static var font: UTType { UTType(known: "public.font") }
    /// `com.rsa.pkcs-12`.
    public static var pkcs12: UTType { UTType(known: "com.rsa.pkcs-12") }
    /// `public.x509-certificate`.
    public static var x509Certificate: UTType { UTType(known: "public.x509-certificate") }
    /// `com.apple.alias-file`.
    public static var aliasFile: UTType { UTType(known: "com.apple.alias-file") }
    /// `public.bookmark`.
    public static var bookmark: UTType { UTType(known: "public.bookmark") }
    /// `com.apple.internet-location`.
    public static var internetLocation: UTType { UTType(known: "com.apple.internet-location") }
    /// `com.pixar.universal-scene-description-mobile`.
    public static var usdz: UTType { UTType(known: "com.pixar.universal-scene-description-mobile") }
}
