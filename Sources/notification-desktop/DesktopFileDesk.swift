// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopPresenter
import FoundationEssentials
import Glibc
import Locking
import NotificationPayload

/// The desktop files of a centre's apps, and their pictures, as the centre tells of apps.
actor DesktopFileDesk {
    private let client: CenterClient
    private let work = Signal()
    private var files: OwnDesktopFiles
    /// The folders for them; `nil` means that none are written any more.
    private var shelf: DesktopFileShelf?

    init(_ client: CenterClient, _ files: OwnDesktopFiles, in shelf: DesktopFileShelf?) {
        self.client = client
        (self.files, self.shelf) = (files, shelf)
    }

    /// Takes all apps of the centre.
    func take(front: JSONObject) {
        files.take(front: front)
        put()
    }

    /// Takes what the centre tells of an app.
    func take(app: JSONObject) {
        files.take(app: app)
        put()
    }

    /// Takes that the centre is there, which may hand out what it did not before.
    func takeCenter() { work.raise() }

    /// Fetches pictures as they are wanted, one at a time, until it is cancelled.
    ///
    /// A picture for which no centre answers is asked for again when the centre is there again, or tells of an app.
    func run() async {
        while !Task.isCancelled {
            while shelf != nil, !Task.isCancelled, let topic = files.nextPicture() {
                guard await fetch(topic) else { break }
            }
            await work.wait()
        }
    }

    /// Fetches a picture; false means that no centre has answered.
    private func fetch(_ topic: String) async -> Bool {
        let target = "/v1/apps/\(CenterClient.segment(topic))/icon"
        let bytes: [UInt8]?
        do { bytes = try await client.file(target, byteLimit: OwnPicture.byteLimit) } catch {
            files.takeNoAnswer(of: topic)
            return false
        }
        // The app may have gone, or have no picture any more.
        guard let shelf, let file = files.fileWithPicture(of: topic) else { return true }
        let isKept = bytes.flatMap(OwnPicture.init).map { shelf.put($0, of: file) } ?? false
        files.take(hasPicture: isKept, of: topic)
        put()
        return true
    }

    /// Has the desktop know the apps that name no desktop file; a folder that takes none is left alone from then on.
    private func put() {
        work.raise()
        guard let shelf, let files = files.changes() else { return }
        do { try shelf.put(files) } catch {
            self.shelf = nil
            let reason = (error as? POSIXError).map { String(cString: strerror($0.code.rawValue)) } ?? "it is no folder"
            Voice.say("no desktop files of apps are written: \(reason)")
        }
    }
}
