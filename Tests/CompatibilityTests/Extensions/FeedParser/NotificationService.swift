// SPDX-License-Identifier: Apache-2.0

import UserNotifications

final class FeedReader: NSObject, XMLParserDelegate {
    private(set) var titles: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }

    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?) {
        if elementName == "title" { titles.append(text) }
    }
}

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let feed = "<feed><item><title>\(content.title)</title></item><item><title>Bob &amp; Eve</title></item></feed>"
        let parser = XMLParser(data: Data(feed.utf8))
        let reader = FeedReader()
        parser.delegate = reader
        content.subtitle = parser.parse() ? reader.titles.joined(separator: ", ") : "\(String(describing: parser.parserError))"
        contentHandler(content)
    }
}
