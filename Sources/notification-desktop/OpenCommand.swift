// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import DesktopPresenter
import NIOHTTP1

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens the page of a centre at the notifications of one app.",
        discussion: """
            The desktop files that \"show\" writes for apps that name none run this.

            Example:
              notification-desktop open com.example.chat
            """
    )

    @OptionGroup var place: CenterPlace

    @Argument(help: "The topic of the app.")
    var topic: String

    func run() async throws {
        let client = CenterClient(socket: place.http, hint: "start it: notification-center serve")
        guard let page = CenterPage(api: try await client.ask(.GET, "/v1")) else {
            throw Failure("the centre has no page", hint: "\(place.list), or notification-center serve --http PORT")
        }
        guard let address = PageAddress(page.address(of: topic)), let opener = PageOpener(),
            await opener.open(address, with: nil, ContinuousClock())
        else { throw Failure("no browser took the page", hint: "open \(page.address(of: topic))") }
    }
}
