// SPDX-License-Identifier: Apache-2.0

@_exported public import FoundationCompatibility

// The names of before iOS 14. As Apple's they are strings of Core Foundation; `kUTTypeJPEG as String` is the
// identifier.

/// `public.item`.
public var kUTTypeItem: CFString { "public.item" as CFString }
/// `public.content`.
public var kUTTypeContent: CFString { "public.content" as CFString }
/// `public.composite-content`.
public var kUTTypeCompositeContent: CFString { "public.composite-content" as CFString }
/// `public.data`.
public var kUTTypeData: CFString { "public.data" as CFString }
/// `public.directory`.
public var kUTTypeDirectory: CFString { "public.directory" as CFString }
/// `public.folder`.
public var kUTTypeFolder: CFString { "public.folder" as CFString }
/// `com.apple.resolvable`.
public var kUTTypeResolvable: CFString { "com.apple.resolvable" as CFString }
/// `public.symlink`.
public var kUTTypeSymLink: CFString { "public.symlink" as CFString }
/// `public.executable`.
public var kUTTypeExecutable: CFString { "public.executable" as CFString }
/// `public.url`.
public var kUTTypeURL: CFString { "public.url" as CFString }
/// `public.file-url`.
public var kUTTypeFileURL: CFString { "public.file-url" as CFString }
/// `public.contact`.
public var kUTTypeContact: CFString { "public.contact" as CFString }
/// `public.message`.
public var kUTTypeMessage: CFString { "public.message" as CFString }
/// `public.database`.
public var kUTTypeDatabase: CFString { "public.database" as CFString }
/// `public.archive`.
public var kUTTypeArchive: CFString { "public.archive" as CFString }
/// `public.text`.
public var kUTTypeText: CFString { "public.text" as CFString }
/// `public.plain-text`.
public var kUTTypePlainText: CFString { "public.plain-text" as CFString }
/// `public.utf8-plain-text`.
public var kUTTypeUTF8PlainText: CFString { "public.utf8-plain-text" as CFString }
/// `public.rtf`.
public var kUTTypeRTF: CFString { "public.rtf" as CFString }
/// `public.html`.
public var kUTTypeHTML: CFString { "public.html" as CFString }
/// `public.xml`.
public var kUTTypeXML: CFString { "public.xml" as CFString }
/// `public.source-code`.
public var kUTTypeSourceCode: CFString { "public.source-code" as CFString }
/// `public.script`.
public var kUTTypeScript: CFString { "public.script" as CFString }
/// `com.netscape.javascript-source`.
public var kUTTypeJavaScript: CFString { "com.netscape.javascript-source" as CFString }
/// `public.shell-script`.
public var kUTTypeShellScript: CFString { "public.shell-script" as CFString }
/// `public.python-script`.
public var kUTTypePythonScript: CFString { "public.python-script" as CFString }
/// `public.swift-source`.
public var kUTTypeSwiftSource: CFString { "public.swift-source" as CFString }
/// `public.json`.
public var kUTTypeJSON: CFString { "public.json" as CFString }
/// `com.apple.property-list`.
public var kUTTypePropertyList: CFString { "com.apple.property-list" as CFString }
/// `com.apple.xml-property-list`.
public var kUTTypeXMLPropertyList: CFString { "com.apple.xml-property-list" as CFString }
/// `com.apple.binary-property-list`.
public var kUTTypeBinaryPropertyList: CFString { "com.apple.binary-property-list" as CFString }
/// `public.delimited-values-text`.
public var kUTTypeDelimitedText: CFString { "public.delimited-values-text" as CFString }
/// `public.comma-separated-values-text`.
public var kUTTypeCommaSeparatedText: CFString { "public.comma-separated-values-text" as CFString }
/// `public.tab-separated-values-text`.
public var kUTTypeTabSeparatedText: CFString { "public.tab-separated-values-text" as CFString }
/// `public.log`.
public var kUTTypeLog: CFString { "public.log" as CFString }
/// `public.vcard`.
public var kUTTypeVCard: CFString { "public.vcard" as CFString }
/// `public.calendar-event`.
public var kUTTypeCalendarEvent: CFString { "public.calendar-event" as CFString }
/// `public.email-message`.
public var kUTTypeEmailMessage: CFString { "public.email-message" as CFString }
/// `public.image`.
public var kUTTypeImage: CFString { "public.image" as CFString }
/// `public.jpeg`.
public var kUTTypeJPEG: CFString { "public.jpeg" as CFString }
/// `public.png`.
public var kUTTypePNG: CFString { "public.png" as CFString }
/// `com.compuserve.gif`.
public var kUTTypeGIF: CFString { "com.compuserve.gif" as CFString }
/// `public.tiff`.
public var kUTTypeTIFF: CFString { "public.tiff" as CFString }
/// `com.microsoft.bmp`.
public var kUTTypeBMP: CFString { "com.microsoft.bmp" as CFString }
/// `com.microsoft.ico`.
public var kUTTypeICO: CFString { "com.microsoft.ico" as CFString }
/// `com.apple.icns`.
public var kUTTypeAppleICNS: CFString { "com.apple.icns" as CFString }
/// `public.svg-image`.
public var kUTTypeScalableVectorGraphics: CFString { "public.svg-image" as CFString }
/// `public.camera-raw-image`.
public var kUTTypeRawImage: CFString { "public.camera-raw-image" as CFString }
/// `com.apple.live-photo`.
public var kUTTypeLivePhoto: CFString { "com.apple.live-photo" as CFString }
/// `public.audiovisual-content`.
public var kUTTypeAudiovisualContent: CFString { "public.audiovisual-content" as CFString }
/// `public.movie`.
public var kUTTypeMovie: CFString { "public.movie" as CFString }
/// `public.video`.
public var kUTTypeVideo: CFString { "public.video" as CFString }
/// `com.apple.quicktime-movie`.
public var kUTTypeQuickTimeMovie: CFString { "com.apple.quicktime-movie" as CFString }
/// `public.mpeg`.
public var kUTTypeMPEG: CFString { "public.mpeg" as CFString }
/// `public.mpeg-2-video`.
public var kUTTypeMPEG2Video: CFString { "public.mpeg-2-video" as CFString }
/// `public.mpeg-2-transport-stream`.
public var kUTTypeMPEG2TransportStream: CFString { "public.mpeg-2-transport-stream" as CFString }
/// `public.mpeg-4`.
public var kUTTypeMPEG4: CFString { "public.mpeg-4" as CFString }
/// `com.apple.protected-mpeg-4-video`.
public var kUTTypeAppleProtectedMPEG4Video: CFString { "com.apple.protected-mpeg-4-video" as CFString }
/// `public.avi`.
public var kUTTypeAVIMovie: CFString { "public.avi" as CFString }
/// `public.audio`.
public var kUTTypeAudio: CFString { "public.audio" as CFString }
/// `public.mp3`.
public var kUTTypeMP3: CFString { "public.mp3" as CFString }
/// `public.mpeg-4-audio`.
public var kUTTypeMPEG4Audio: CFString { "public.mpeg-4-audio" as CFString }
/// `com.apple.protected-mpeg-4-audio`.
public var kUTTypeAppleProtectedMPEG4Audio: CFString { "com.apple.protected-mpeg-4-audio" as CFString }
/// `public.aiff-audio`.
public var kUTTypeAudioInterchangeFileFormat: CFString { "public.aiff-audio" as CFString }
/// `com.microsoft.waveform-audio`.
public var kUTTypeWaveformAudio: CFString { "com.microsoft.waveform-audio" as CFString }
/// `public.midi-audio`.
public var kUTTypeMIDIAudio: CFString { "public.midi-audio" as CFString }
/// `public.playlist`.
public var kUTTypePlaylist: CFString { "public.playlist" as CFString }
/// `public.m3u-playlist`.
public var kUTTypeM3UPlaylist: CFString { "public.m3u-playlist" as CFString }
/// `com.adobe.pdf`.
public var kUTTypePDF: CFString { "com.adobe.pdf" as CFString }
/// `com.apple.rtfd`.
public var kUTTypeRTFD: CFString { "com.apple.rtfd" as CFString }
/// `public.spreadsheet`.
public var kUTTypeSpreadsheet: CFString { "public.spreadsheet" as CFString }
/// `public.presentation`.
public var kUTTypePresentation: CFString { "public.presentation" as CFString }
/// `public.zip-archive`.
public var kUTTypeZipArchive: CFString { "public.zip-archive" as CFString }
/// `org.gnu.gnu-zip-archive`.
public var kUTTypeGNUZipArchive: CFString { "org.gnu.gnu-zip-archive" as CFString }
/// `public.bzip2-archive`.
public var kUTTypeBzip2Archive: CFString { "public.bzip2-archive" as CFString }
/// `org.idpf.epub-container`.
public var kUTTypeElectronicPublication: CFString { "org.idpf.epub-container" as CFString }
/// `public.font`.
public var kUTTypeFont: CFString { "public.font" as CFString }
/// `com.rsa.pkcs-12`.
public var kUTTypePKCS12: CFString { "com.rsa.pkcs-12" as CFString }
/// `public.x509-certificate`.
public var kUTTypeX509Certificate: CFString { "public.x509-certificate" as CFString }
/// `com.apple.alias-file`.
public var kUTTypeAliasFile: CFString { "com.apple.alias-file" as CFString }
/// `public.bookmark`.
public var kUTTypeBookmark: CFString { "public.bookmark" as CFString }
/// `com.apple.internet-location`.
public var kUTTypeInternetLocation: CFString { "com.apple.internet-location" as CFString }
/// `com.pixar.universal-scene-description-mobile`.
public var kUTTypeUniversalSceneDescriptionMobile: CFString {
    "com.pixar.universal-scene-description-mobile" as CFString
}

/// The class of tags that are extensions of file names.
public var kUTTagClassFilenameExtension: CFString { "public.filename-extension" as CFString }
/// The class of tags that are MIME types.
public var kUTTagClassMIMEType: CFString { "public.mime-type" as CFString }
