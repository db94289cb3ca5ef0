// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import CenterStore
import Locking
import NotificationPayload
import PacketSockets
import SceneModel

/// A view of a content extension that a watcher has open: its scene as the host has judged it, and who follows it.
package final class ContentView: Sendable {
    /// Updates, and nodes of them, that wait for a follower; one that is further behind gets the whole scene instead.
    fileprivate static let updateLimit = 64
    fileprivate static let nodeLimit = SceneLimits.nodeCount
    /// Followers of one view.
    private static let followerLimit = 8
    /// The time for a word on a response: the host ends the wait before.
    private static let patience = Duration.seconds(8)

    fileprivate struct Follower {
        var updates: [SceneUpdate] = []
        /// Nodes of those updates.
        var nodeCount = 0
        var wantsWhole = true
        /// True if the pictures are others than it knows.
        var wantsFiles = false
        /// The calls of the view meanwhile, which the whole scene does not tell.
        var calls: [SceneCall] = []
        var isSilent = false
        let hasNews: Signal
    }

    fileprivate struct State {
        var assembly = SceneAssembly()
        var scene = SceneTree()
        /// The oldest first.
        var pictures: [Picture] = []
        /// The number of the last event that the scene has taken in, as its page knows it.
        var acknowledged: UInt64?
        /// The number of the last event that a page gave.
        var lastGiven: UInt64 = 0
        /// The `seq` of the last event that was handed on.
        var lastSent: UInt64 = 0
        var numbers = EventNumbers()
        /// Responses on which the view has a say, by their numbers.
        var questions: [UInt64: Question<SceneCall.ResponseOption>] = [:]
        var lastResponse: UInt64 = 0
        /// The number of the notification.
        var number: Int64
        /// The thread of the notification; `nil` means none.
        var thread: String?
        var link: (host: any HostAsker, id: UInt64)?
        var end: ViewEnd?
        /// The calls that close the view and of which nobody has heard, since nobody followed it then.
        var unheard: [SceneCall] = []
        /// True once the end was told to a follower.
        var isOver = false
        var followers: [Int: Follower] = [:]
        var lastFollower = 0
        /// Looks at the view since anybody followed it.
        var lonelyLooks = 0
    }

    /// A picture that nodes name by its number, as the host has copied and judged it.
    fileprivate struct Picture: Sendable {
        let number: UInt32
        let type: AttachmentType
        let file: PassedFile
    }

    /// The app whose notification the view shows, and its owner.
    package let key: InstallationKey
    private let state: Locked<State>

    /// A view that no host has yet, of the notification with the number, and of its thread.
    init(of key: InstallationKey, number: Int64, thread: String? = nil) {
        self.key = key
        state = Locked(State(number: number, thread: thread))
    }

    // MARK: The host

    /// Gives the view to a host that is told to open it, under an id of its link; false for one that nobody wants any
    /// more.
    func opened(by host: any HostAsker, as id: UInt64) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            state.link = (host, id)
            return true
        }
    }

    /// Takes an update of the scene, or a piece of one.
    func take(_ body: JSONObject) throws(MemberFault) {
        let piece = try SceneUpdate(body)
        let hasNews: Bool
        do {
            hasNews = try state.withLock { state throws(SceneFault) in
                // Nobody follows a view any more that was given up.
                guard state.end == nil, var update = try state.assembly.take(piece) else { return false }
                try state.scene.apply(update)
                update.acknowledged = update.acknowledged.flatMap { state.numbers.acknowledge($0) }
                state.acknowledged = update.acknowledged ?? state.acknowledged
                state.settleQuestions(&update.calls)
                if state.followers.isEmpty { state.unheard += update.calls.filter(\.closesView) }
                guard update != SceneUpdate() else { return false }
                for number in state.followers.keys { state.followers[number]?.add(update) }
                return true
            }
        } catch { throw .malformed("set") }
        if hasNews { raise() }
    }

    /// Takes a picture, and lets go of those that are no more; the oldest goes where the host tells of too many.
    func take(_ told: LinkViewFile, _ file: PassedFile) {
        // Files close behind the lock: the last close of one that has no name waits for the disk.
        let former: [Picture]? = state.withLock { state in
            guard state.end == nil else { return nil }
            let former = state.pictures
            state.pictures.removeAll { $0.number == told.number || told.gone.contains($0.number) }
            state.pictures.append(Picture(number: told.number, type: told.type, file: file))
            state.pictures.removeFirst(max(0, state.pictures.count - LinkViewFile.limit))
            for number in state.followers.keys {
                state.followers[number]?.wantsFiles = true
                state.followers[number]?.isSilent = false
            }
            return former
        }
        if former != nil { raise() }
    }

    /// A picture for reading, and its type; `nil` means that there is none of the number.
    ///
    /// Throws where there is no descriptor for it.
    func picture(_ number: UInt32) throws(APIError) -> (file: FileDraft, type: AttachmentType)? {
        guard let picture = state.withLock({ $0.pictures.first { $0.number == number } }) else { return nil }
        guard let file = FileDraft(reading: picture.file.descriptor) else { throw .disk }
        return (file, picture.type)
    }

    /// Ends the view for all who follow it; the first reason counts.
    func end(_ reason: ViewEnd) {
        let former = state.withLock { state in
            if state.end == nil { state.end = reason }
            let former = state.pictures
            state.pictures = []
            state.link = nil
            for question in state.questions.values { question.answer(nil) }
            state.questions = [:]
            // Whoever comes later hears of the end alone.
            if state.followers.isEmpty { state.scene = SceneTree() }
            state.assembly = SceneAssembly()
            return former
        }
        raise()
        withExtendedLifetime(former) {}
    }

    private func raise() {
        for signal in state.withLock({ $0.followers.values.map(\.hasNews) }) { signal.raise() }
    }

    // MARK: Events

    /// Hands an event on; false for a view that is no more.
    ///
    /// One whose number is not above those before it was handed on already: a page that has lost an answer sends it
    /// again. The host judges it by the scene as the view's process has made it, which is newer than the one here.
    func pass(_ event: ViewEvent, numbered number: UInt64) async -> Bool {
        let isNew = state.withLock { state in
            defer { state.lastGiven = max(state.lastGiven, number) }
            return number > state.lastGiven
        }
        guard isNew else { return isOpen }
        return await tell(as: number) { event.write(to: &$0) }
    }

    /// Shows a newer version that has the place of a notification; false if the view is of another one.
    func replace(_ former: Int64, by number: Int64) -> Bool {
        state.withLock { state in
            guard state.number == former else { return false }
            state.number = number
            return true
        }
    }

    /// Takes in the thread of a newer version of the notification.
    func move(toThread thread: String?) { state.withLock { $0.thread = thread } }

    /// Hands a newer version of the notification on, or a newer notification of its thread.
    func show(_ notification: ShownContent.Handed) async {
        _ = await tell(with: notification.files) { $0["notification"] = .object(notification.object) }
    }

    /// Asks the view what is to become of a response; `nil` means that it has no say any more.
    func ask(_ action: String, text: String?, _ clock: any Clock<Duration>) async -> SceneCall.ResponseOption? {
        let (number, question) = state.withLock { state in
            state.lastResponse += 1
            let number = state.lastResponse
            let question = Question<SceneCall.ResponseOption> { [weak self] in
                self?.state.withLock { $0.questions[number] = nil }
            }
            if state.end == nil { state.questions[number] = question } else { question.answer(nil) }
            return (number, question)
        }
        let event = ViewEvent.response(ViewResponse(number: number, action: action, text: text))
        guard await tell({ event.write(to: &$0) }) else { return nil }
        return await question.wait(Self.patience, clock)
    }

    /// Has the host end the view.
    func close() async {
        guard await tell({ ViewEvent.close.write(to: &$0) }) else { return end(.closed) }
    }

    /// Hands an event on; without a number of its own it has that of the event before it.
    private func tell(
        as given: UInt64? = nil,
        with files: [PassedFile] = [],
        _ write: @escaping @Sendable (inout JSONObject) -> Void
    ) async -> Bool {
        guard let link = state.withLock({ $0.link }) else { return false }
        return await link.host.tell(link.id, files) { [weak self] in
            self?.state.withLock { state in
                guard state.end == nil else { return nil }
                state.lastSent += 1
                state.numbers.sent(state.lastSent, as: given ?? state.numbers.last)
                var event: JSONObject = ["seq": .integer(Int64(clamping: state.lastSent))]
                write(&event)
                return event
            }
        }
    }

    /// The number of the notification, which a newer version of it changes.
    var number: Int64 { state.withLock { $0.number } }

    /// The thread of the notification; `nil` means none.
    var thread: String? { state.withLock { $0.thread } }

    /// The buttons that the view has in the place of the category's.
    var actions: [CategoryAction] { state.withLock { $0.scene.actions ?? [] } }

    // MARK: Followers

    /// The number of those who follow the view.
    var followerCount: Int { state.withLock { $0.followers.count } }

    /// True while as many follow the view as may.
    var isCrowded: Bool { followerCount >= Self.followerLimit }

    /// Writes the scene and what becomes of it, until the view has ended or the task is cancelled; nothing for one
    /// follower too many.
    func follow(_ write: (String) async throws -> Void) async throws {
        let joined = state.withLock { state -> (Int, Signal)? in
            guard state.followers.count < Self.followerLimit else { return nil }
            state.lastFollower += 1
            let follower = Follower(hasNews: Signal())
            state.followers[state.lastFollower] = follower
            state.lonelyLooks = 0
            return (state.lastFollower, follower.hasNews)
        }
        guard let (number, hasNews) = joined else { return }
        defer { state.withLock { $0.followers[number] = nil } }
        while !Task.isCancelled {
            let news = state.withLock { $0.news(for: number) }
            // Written down without the lock, for which the link waits.
            let text = news.text
            if !text.isEmpty { try await write(text) }
            if news.isOver { return state.withLock { $0.isOver = true } }
            await hasNews.wait()
        }
    }

    /// Has each follower hear something, so that one who is gone is noticed.
    func breakSilence() {
        state.withLock { state in
            for number in state.followers.keys { state.followers[number]?.isSilent = true }
        }
        raise()
    }

    /// True if the view may be forgotten: its end was told, or nobody has followed it for as many looks.
    func isForgotten(afterLooks limit: Int) -> Bool {
        state.withLock { state in
            state.lonelyLooks = state.followers.isEmpty ? state.lonelyLooks + 1 : 0
            return state.isOver || state.lonelyLooks > limit
        }
    }

    var isOpen: Bool { state.withLock { $0.end == nil } }

    /// True while somebody looks at it.
    var isFollowed: Bool { followerCount > 0 }
}

extension ContentView.Follower {
    fileprivate mutating func add(_ update: SceneUpdate) {
        isSilent = false
        if wantsWhole {
            calls += update.calls
        } else if updates.count < ContentView.updateLimit, nodeCount + update.set.count <= ContentView.nodeLimit {
            updates.append(update)
            nodeCount += update.set.count
        } else {
            wantsWhole = true
            calls = updates.flatMap(\.calls) + update.calls
            (updates, nodeCount) = ([], 0)
        }
        // What a view may ask for ends it; the rest are words about films.
        calls = Array(calls.suffix(SceneLimits.callCount))
    }
}

extension ContentView.State {
    /// Takes out what the view says on responses, for whoever waits for it.
    fileprivate mutating func settleQuestions(_ calls: inout [SceneCall]) {
        calls.removeAll { call in
            guard case .option(let option, let response) = call else { return false }
            questions.removeValue(forKey: response)?.answer(option)
            return true
        }
    }

    /// The words that a follower is to be told now.
    fileprivate mutating func news(for number: Int) -> ContentView.News {
        guard var follower = followers[number] else { return ContentView.News(isOver: true) }
        var news = ContentView.News()
        if follower.wantsFiles || follower.wantsWhole && !scene.isEmpty && !pictures.isEmpty {
            news.files = pictures.map(\.number)
            follower.wantsFiles = false
        }
        if follower.wantsWhole, !scene.isEmpty {
            var whole = scene.whole
            whole.acknowledged = acknowledged
            news.whole = whole
            news.updates = follower.calls.isEmpty ? [] : [SceneUpdate(calls: follower.calls)]
            follower.wantsWhole = false
            follower.calls = []
        }
        news.updates += follower.updates
        (follower.updates, follower.nodeCount) = ([], 0)
        if end != nil, !unheard.isEmpty {
            news.updates.append(SceneUpdate(calls: unheard))
            unheard = []
        }
        news.end = end
        news.isOver = end != nil
        news.isSilent = follower.isSilent
        follower.isSilent = false
        followers[number] = follower
        return news
    }
}

extension ContentView {
    /// The words for one follower, in their order.
    fileprivate struct News {
        /// The numbers of all pictures that there are.
        var files: [UInt32]?
        var whole: SceneUpdate?
        var updates: [SceneUpdate] = []
        var end: ViewEnd?
        /// True if nothing follows.
        var isOver = false
        /// True if the follower is to hear something, whatever it is.
        var isSilent = false

        var text: String {
            var text = files.map { EventView.text("files", ["files": .array($0.map { .integer(Int64($0)) })]) } ?? ""
            if let whole { text += EventView.text("whole", whole.body) }
            for update in updates { text += EventView.text("scene", update.body) }
            if let end { text += EventView.text("ended", ["reason": .string(end.rawValue)]) }
            return isSilent && text.isEmpty ? EventView.comment : text
        }
    }
}
