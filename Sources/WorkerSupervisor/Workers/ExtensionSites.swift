// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HostRuntime
import Logging

/// An owner whose work waits for the folders of sites.
protocol SiteWaiting: AnyObject {
    /// The site has its folders, and processes may be started.
    func opened(_ site: Int)
    /// The folders could not be made; the next notification or view tries it again.
    func notOpened(_ site: Int)
}

/// The part of the sites' owner that has lists by the numbers of sites.
protocol ExtensionSitesDelegate: SiteWaiting {
    /// There is a site of the next number, before anybody hears of it: every list grows by one.
    func added(_ site: Int)
}

/// The sites: every app's extension for its first owner, and for each further owner from the first notification on.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. The number of a site is its place in
/// every list of the other owners. The folders of a further owner are made on the queue of what extensions store, since
/// a disk may take its time; what comes meanwhile waits in the site's line.
final class ExtensionSites {
    private let extensions: [SupervisedExtension]
    private let folder: HostFolder?
    private let launcher: Launcher.Capabilities
    private let storageQueue: DispatchQueue
    private let logger: Logger
    private let timetable: Timetable<ExtensionSites>
    private weak var delegate: (any ExtensionSitesDelegate)?
    private weak var viewDelegate: (any SiteWaiting)?
    /// The numbers of processes of views, by the numbers of their sites.
    private var viewCounts: [Int: Int] = [:]
    private var places: SitePlaces
    /// The sites by their numbers; `nil` means that there are no folders yet.
    private var sites: [ExtensionSite?]
    /// The sites whose folders are being made.
    private var opening: Set<Int> = []
    /// Content extensions beside service extensions of the same apps, by the numbers of those.
    private let contents: [Int: SupervisedExtension]
    /// The sites of such content extensions, by the numbers of the sites with which they share user and folder.
    private var contentSites: [Int: ExtensionSite] = [:]

    /// `firstOwners` are the owners who have the apps' own folders, by topic; of every other app it is the only owner.
    init(_ equipment: Equipment, firstOwners: [String: String], timetable: Timetable<ExtensionSites>) {
        let configuration = equipment.configuration
        extensions = configuration.extensions
        folder = configuration.folder
        launcher = equipment.launcher.capabilities
        storageQueue = equipment.storageQueue
        logger = equipment.logger
        self.timetable = timetable
        let apps = extensions.map { app in
            SitePlaces.App(
                topic: app.app,
                firstOwner: firstOwners[app.app] ?? OwnedApp.onlyOwner,
                memoryByteCount: app.memoryLimitByteCount
            )
        }
        let numbers = Dictionary(extensions.enumerated().map { ($1.app, $0) }) { first, _ in first }
        contents = configuration.contents.reduce(into: [:]) { contents, content in
            if let number = numbers[content.app] { contents[number] = content }
        }
        places = SitePlaces(apps, bounds: SitePlaces.Bounds(configuration.bounds))
        sites = zip(extensions.indices, apps).map { [extensions] number, app in
            ExtensionSite(extensions[number], app: number, owner: app.firstOwner, isFirst: true, index: number)
        }
    }

    /// No site may be opened before this.
    func join(_ delegate: any ExtensionSitesDelegate) { self.delegate = delegate }

    /// Views of further owners wait for their sites as well.
    func joinForViews(_ delegate: any SiteWaiting) { viewDelegate = delegate }

    /// True while a view of the site has a process.
    func hasViews(_ number: Int) -> Bool { viewCounts[number] != nil }

    func viewBegan(_ number: Int) { viewCounts[number, default: 0] += 1 }

    func viewEnded(_ number: Int) {
        let left = viewCounts[number, default: 1] - 1
        viewCounts[number] = left == 0 ? nil : left
    }

    var count: Int { sites.count }

    /// `nil` means that the site has no folders yet, and so no workers.
    subscript(_ number: Int) -> ExtensionSite? { sites[number] }

    /// The site of the content extension of a site's app and owner; `nil` means that there is none, or no folder yet.
    ///
    /// An app's two extensions have one user and one folder, so that each finds what the other has stored.
    func contentSite(_ number: Int) -> ExtensionSite? {
        guard let site = sites[number] else { return nil }
        if site.configuration.role == .content { return site }
        if let known = contentSites[number] { return known }
        let place = places.places[number]
        guard var content = contents[place.app] else { return nil }
        content.storagePath = site.configuration.storagePath
        let made = ExtensionSite(content, beside: site)
        contentSites[number] = made
        return made
    }

    /// Tells whether the app has a content extension.
    func shows(_ topic: String) -> Bool {
        guard let number = places.number(of: topic) else { return false }
        return extensions[number].role == .content || contents[number] != nil
    }

    /// Returns the number of the site that serves an app's owner; `nil` means that there is none.
    func place(of topic: String, for owner: String) -> Int? { places.place(of: topic, for: owner) }

    /// Tells whether the app has an extension.
    func serves(_ topic: String) -> Bool { places.has(topic) }

    /// Makes a site for an app's further owner, which has no folders yet; `nil` means that the bounds allow no more.
    func add(_ topic: String, for owner: String) -> Int? {
        guard let number = places.add(topic, for: owner) else { return nil }
        sites.append(nil)
        delegate?.added(number)
        return number
    }

    /// Returns the terms of a site's workers.
    func terms(of number: Int) -> Roster.Terms {
        let place = places.places[number]
        return extensions[place.app].terms(app: place.app, isFirst: place.isFirst)
    }

    /// Returns the topic of a site's app.
    func topic(of number: Int) -> String { extensions[places.places[number].app].app }

    /// Has the folders of a site made, unless they are there or being made.
    func open(_ number: Int) {
        guard sites[number] == nil, opening.insert(number).inserted else { return }
        let place = places.places[number]
        let app = OwnedApp(topic: extensions[place.app].app, owner: place.owner)
        let stores = extensions[place.app].scratchByteCount > 0
        let user = launcher.user(ofSiteAt: number)
        storageQueue.async { [folder, timetable] in
            let made = Result { () throws(StateFolderError) in
                try folder?.makePlace(for: app, storing: stores, user: user)
            }
            timetable.perform { $0.made(number, made) }
        }
    }

    private func made(_ number: Int, _ folder: Result<String?, StateFolderError>) {
        opening.remove(number)
        let place = places.places[number]
        var app = extensions[place.app]
        do throws(StateFolderError) {
            app.storagePath = try folder.get()
        } catch {
            logger.error(
                "folders of an extension's owner not made",
                metadata: ["push.topic": "\(app.app)", "owner": "\(place.owner)", "error": "\(error)"]
            )
            delegate?.notOpened(number)
            viewDelegate?.notOpened(number)
            return
        }
        sites[number] = ExtensionSite(app, app: place.app, owner: place.owner, isFirst: false, index: number)
        delegate?.opened(number)
        viewDelegate?.opened(number)
    }
}
