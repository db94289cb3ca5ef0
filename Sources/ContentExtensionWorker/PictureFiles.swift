// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import UIKit

/// The files of the images that a controller shows.
///
/// An image of a file is shown by that file; one of bytes alone is written once. A file that was written stays for the
/// life of the process, whose scratch folder it is in.
@MainActor struct PictureFiles {
    /// Images of bytes whose files are remembered; the one that was asked for least recently is written anew.
    private static let limit = 32

    private let folder: String?
    private var written: [(bytes: Data, file: URL)] = []

    init(in folder: String?) {
        self.folder = folder
    }

    /// Returns the file of an image; `nil` means that it has no bytes, or that they cannot be written.
    mutating func file(of image: UIImage) -> URL? {
        switch image.sceneContent {
        case .file(let url): url
        case .data(let bytes): file(of: bytes)
        case .symbol, nil: nil
        }
    }

    private mutating func file(of bytes: Data) -> URL? {
        if let place = written.firstIndex(where: { $0.bytes == bytes }) {
            let found = written.remove(at: place)
            written.append(found)
            return found.file
        }
        guard let folder else { return nil }
        let file = URL(fileURLWithPath: "\(folder)/tmp/image-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
            try bytes.write(to: file)
        } catch {
            HostLog.warnOnce("an image is not shown: it cannot be written to the scratch folder")
            return nil
        }
        if written.count == Self.limit { try? FileManager.default.removeItem(at: written.removeFirst().file) }
        written.append((bytes, file))
        return file
    }
}
