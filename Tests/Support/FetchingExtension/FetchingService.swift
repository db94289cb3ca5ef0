// SPDX-License-Identifier: Apache-2.0

import UserNotifications

/// Fetches what the payload's key `fetch` lists, one after the other, and says in `fetched` what became of each.
///
/// An answer is its status and its text, a refusal the name of its error. `download:ADDRESS` goes to a file first;
/// `leave:ADDRESS` is left alone once the first bytes are there.
final class FetchingService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let addresses = content.userInfo["fetch"] as? [String] ?? []
        content.userInfo["fetched"] = addresses.map(Self.fetch)
        contentHandler(content)
    }

    private static func fetch(_ address: String) -> String {
        if address.hasPrefix("leave:") { return leave(String(address.dropFirst("leave:".count))) }
        let isDownload = address.hasPrefix("download:")
        guard let url = URL(string: isDownload ? String(address.dropFirst("download:".count)) : address) else {
            return "no address"
        }
        let fetched = DispatchSemaphore(value: 0)
        // SAFETY: written before the signal and read after the wait.
        nonisolated(unsafe) var result = ""
        if isDownload {
            URLSession.shared.downloadTask(with: url) { file, response, error in
                result = describe(file.flatMap { try? Data(contentsOf: $0) }, response, error)
                fetched.signal()
            }.resume()
        } else {
            URLSession.shared.dataTask(with: url) { data, response, error in
                result = describe(data, response, error)
                fetched.signal()
            }.resume()
        }
        fetched.wait()
        return result
    }

    private static func leave(_ address: String) -> String {
        guard let url = URL(string: address) else { return "no address" }
        let listener = FirstBytes()
        URLSession(configuration: .default, delegate: listener, delegateQueue: nil).dataTask(with: url).resume()
        listener.came.wait()
        return "left"
    }

    private static func describe(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> String {
        if let error { return error is URLError ? "URLError" : "\(type(of: error))" }
        guard let response = response as? HTTPURLResponse else { return "no response" }
        let text = data.map { $0.count < 100 ? String(decoding: $0, as: UTF8.self) : "\($0.count) bytes" } ?? "no data"
        return "\(response.statusCode) \(text)"
    }
}

private final class FirstBytes: NSObject, URLSessionDataDelegate {
    let came = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        came.signal()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        came.signal()
    }
}
