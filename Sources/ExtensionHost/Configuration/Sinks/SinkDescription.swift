// SPDX-License-Identifier: Apache-2.0

import CenterLink
import Foundation
import HostRuntime
import Logging

/// A kind of sink: its keys in host.yaml, and how a sink is made of them.
///
/// A new kind is a type of this protocol, in a file of its own, and a line in `SinkKinds`.
protocol SinkDescription: ConfigurationMapping, Sendable {
    /// The word that begins a sink of this kind in host.yaml.
    static var key: String { get }
    /// The name in messages of a sink of this kind: `a webhook`.
    static var messageName: String { get }
    /// A sentence for people about the kind.
    static var sentence: String { get }
    /// True if the word alone is the sink, which then has no keys.
    static var isWord: Bool { get }
    /// The name that labels, logs and tables have; records of a remote sink wait under it across restarts.
    var name: String { get }
    /// The role of the sink, by which it has a record before its push is concluded or afterwards.
    var role: SinkRole { get }
}

extension SinkDescription {
    static var isWord: Bool { false }

    fileprivate func isEqual(to other: any SinkDescription) -> Bool {
        other as? Self == self
    }
}

/// The role of a sink: local, with a record before its push is concluded, or remote, with one afterwards.
enum SinkRole {
    case local(any LocalSinkDescription)
    case remote(any RemoteSinkDescription)
}

/// A sink that has a record before its push is concluded.
protocol LocalSinkDescription: SinkDescription {
    /// Folders in which the sink writes while the host runs.
    var writableFolders: [String] { get }
    /// Opens the sink; called once the host is confined.
    func makeSink(clock: HostClock, logger: Logger) throws(CommandError) -> any Sink
}

extension LocalSinkDescription {
    var role: SinkRole { .local(self) }
}

/// The host for which a remote sink is made, as far as the sink knows it.
struct RemoteSinkSite {
    let journalName: String
    /// The apps whose records it takes.
    let apps: [AppConfiguration]
    /// Gives tokens to apps that register by themselves.
    let tokens: any TokenIssuer
    /// Hears for which apps no extension is to run.
    let gates: AlertGates
    /// Has what workers ask of a notification centre.
    let calls: WorkerCalls
    /// Has the files of records; `nil` means that the host keeps none.
    let files: (any AttachmentKeeping)?
    /// Opens views for a notification centre.
    let views: any ViewServing
    let clock: HostClock
    let logger: Logger
}

/// The end to which records go from the journal.
enum RemoteEnd {
    /// Takes one record of a device at a time, and answers each.
    case sink(any RemoteSink)
    /// Takes records in order, as many as its window holds, and answers in ranges.
    case stream(any RecordStream, StreamWindow.Limits)
}

/// Makes the end of a remote sink.
typealias RemoteSinkMaker = @Sendable (RemoteSinkSite) throws(CommandError) -> RemoteEnd

/// A sink that takes records from the journal, over a network.
protocol RemoteSinkDescription: SinkDescription {
    /// The largest number of attempts under way at once.
    var concurrency: Int { get }
    /// The largest number of connections that the sink has open at once.
    var connectionCount: Int { get }
    /// True if a target that is gone takes the device token with it, for every sink.
    var removesTokens: Bool { get }
    func takes(topic: String) -> Bool
    /// Reads secrets and certificates before the host is confined; what it returns makes threads, and is called after.
    func prepare() throws(CommandError) -> RemoteSinkMaker
}

extension RemoteSinkDescription {
    var role: SinkRole { .remote(self) }
}

/// The kinds of sinks there are.
enum SinkKinds {
    static let all: [any SinkDescription.Type] = [
        StandardOutput.self,
        ConfiguredFile.self,
        ConfiguredWebhook.self,
        ConfiguredCenter.self,
    ]

    /// The kinds as a person would write them: `stdout`, `file: { path: … }`.
    static var written: String {
        let forms = all.map { $0.writtenForm }
        return forms.dropLast().joined(separator: ", ") + " and " + (forms.last ?? "")
    }
}

extension SinkDescription {
    fileprivate static var writtenForm: String {
        guard !isWord else { return key }
        let required = rows.filter(\.isRequired).map { "\($0.name): …" }
        return "\(key): { \(required.joined(separator: ", ")) }"
    }
}

/// A sink of host.yaml, of any kind.
struct ConfiguredSink: Equatable, Sendable {
    let description: any SinkDescription

    init(_ description: any SinkDescription) {
        self.description = description
    }

    var name: String { description.name }

    static func == (one: ConfiguredSink, other: ConfiguredSink) -> Bool {
        one.description.isEqual(to: other.description)
    }
}
