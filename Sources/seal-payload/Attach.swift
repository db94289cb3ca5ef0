// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import E2ECrypto
import Glibc
import NotificationPayload

/// `seal-payload attach`: a file too large for a payload, sealed beside it, and the entry that goes into it.
struct Attach: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Seal a file and print its entry for \"attachments\", or open one with --open.",
        discussion: """
            The entry holds the file's key. It belongs in the payload that you seal next:
              {"title":"Door","attachments":[ENTRY]}
            and nowhere else.

            Example:
              echo 'a photo' >photo.jpg
              seal-payload attach photo.jpg --url https://example.com/1.nsea >entry.json
              seal-payload attach --open entry.json -o copy.jpg photo.jpg.nsea
            """
    )

    @Option(
        name: .customShort("o"),
        help: ArgumentHelp("Write here, with mode 0600; never overwrites. FILE.nsea by default.", valueName: "file")
    )
    var output: String?

    @Option(help: ArgumentHelp("Where the sealed file will be fetched.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("A name for it, unique in the payload; random by default.", valueName: "id"))
    var id: String?

    @Option(help: ArgumentHelp("Its media type.", valueName: "type"))
    var type: String?

    @Option(help: ArgumentHelp("A file name for people; FILE's own by default.", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("open"),
        help: ArgumentHelp("Open: the file with the entry, or \"-\" for standard input.", valueName: "entry-file")
    )
    var entryFile: String?

    @Argument(help: "The file; \"-\" for standard input, which needs -o.")
    var file: String

    func run() throws {
        guard output != "-" else {
            throw Failure.usage("an attachment is not written to standard output", hint: "name a file with -o")
        }
        if let entryFile {
            try open(entryFile)
        } else {
            try seal()
        }
    }

    // MARK: Sealing

    private func seal() throws(Failure) {
        let label: AttachmentLabel
        do throws(AttachmentError) {
            label = try AttachmentLabel(id: id ?? Self.randomID, url: url, type: type, name: name ?? ownName)
        } catch {
            throw Failure(labelError: error)
        }
        let target = try target()
        let bar = ProgressBar("sealing")
        defer { bar.clear() }
        let entry: AttachmentEntry
        do throws(AttachmentError) {
            entry = try Attachment.seal(file: sourcePath, to: target, as: label, progress: bar.update)
        } catch {
            throw Failure(error, source: Files.name(file), target: target)
        }
        // A reader that is gone is an error to answer, not an end.
        signal(SIGPIPE, SIG_IGN)
        do throws(Failure) {
            try Files.write(entry.json + "\n", to: nil)
        } catch {
            // Without its entry nobody can ever open it.
            unlink(target)
            throw error
        }
    }

    private static var randomID: String { Hexadecimal.encode(UInt64.random(in: .min ... .max)) }

    private var isStandardInput: Bool { file == "-" }
    private var sourcePath: String { isStandardInput ? "/dev/stdin" : file }

    /// nil for standard input, and for a name that no entry may have.
    private var ownName: String? {
        guard !isStandardInput, let name = file.split(separator: "/").last.map(String.init) else { return nil }
        return (try? AttachmentLabel(id: "-", name: name))?.name
    }

    private func target() throws(Failure) -> String {
        if let output { return output }
        guard !isStandardInput else {
            throw .usage("standard input has no name to seal to", hint: "name a file with -o")
        }
        return file + ".nsea"
    }

    // MARK: Opening

    private func open(_ entryFile: String) throws(Failure) {
        for (option, value) in [("--url", url), ("--id", id), ("--type", type), ("--name", name)] where value != nil {
            throw .usage("--open takes no \(option)", hint: "the entry says it")
        }
        guard let output else { throw .usage("missing expected argument '-o <file>'") }
        guard entryFile.first != "{" else {
            throw .usage(
                "--open: that is an entry, not a file",
                hint: "others may have seen its key; pass it on standard input with --open -"
            )
        }
        guard entryFile != "-" || !isStandardInput else {
            throw .usage("standard input cannot be both entry and file", hint: "name one of them")
        }
        let entry = try entry(entryFile)
        let bar = ProgressBar("opening")
        defer { bar.clear() }
        do throws(AttachmentError) {
            try Attachment.open(entry, file: sourcePath, to: output, progress: bar.update)
        } catch {
            throw Failure(error, source: Files.name(file), target: output)
        }
    }

    private func entry(_ path: String) throws(Failure) -> AttachmentEntry {
        let bytes = try Files.read(path)
        do throws(AttachmentError) {
            return try AttachmentEntry(parsing: bytes.span)
        } catch {
            throw Failure(entryError: error, Files.name(path))
        }
    }
}
