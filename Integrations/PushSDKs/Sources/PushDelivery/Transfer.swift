// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reason why a transfer came to nothing, in words for the log: no address, path or content.
struct Failure: Error {
    let text: String

    init(text: String) { self.text = text }

    init(_ error: any Error) {
        let error = error as NSError
        let isCancelled = error.domain == NSURLErrorDomain && error.code == NSURLErrorCancelled
        text = isCancelled ? "it was cancelled" : "\(error.domain) \(error.code)"
    }
}

// SAFETY: session and task are set by `init` alone, and may be used from any thread; the completion is set before the
// task begins, and the rest is touched on the session's queue, which runs one call at a time.
/// One request and its answer, which goes to a file or nowhere.
final class Transfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// The time of a service extension on iOS, in seconds: no transfer is longer.
    private static let secondsLimit: TimeInterval = 30

    private let file: URL?
    private let byteCountLimit: Int
    private var session: URLSession?
    private var task: URLSessionDataTask?
    private var output: FileHandle?
    private var byteCount = 0
    private var response: HTTPURLResponse?
    private var failure: Failure?
    private var completion: (@Sendable (Result<HTTPURLResponse, Failure>) -> Void)?

    /// Makes a transfer into a new file, or into nothing, of so many bytes at most.
    init(_ request: URLRequest, into file: URL?, limit: Int) {
        self.file = file
        byteCountLimit = limit
        super.init()
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = Self.secondsLimit
        configuration.timeoutIntervalForResource = Self.secondsLimit
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        task = session?.dataTask(with: request)
    }

    /// Starts it; `completion` is called once, or never behind `cancel()`.
    ///
    /// A status other than 2xx, an answer above the limit, and another scheme than http and https are failures.
    func start(_ completion: @escaping @Sendable (Result<HTTPURLResponse, Failure>) -> Void) {
        self.completion = completion
        task?.resume()
        session?.finishTasksAndInvalidate()
    }

    /// Ends it now.
    func cancel() { session?.invalidateAndCancel() }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(["http", "https"].contains(request.url?.scheme?.lowercased()) ? request : nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.response = response as? HTTPURLResponse
        if let status = self.response?.statusCode, !(200..<300).contains(status) {
            failure = Failure(text: "the server answered with status \(status)")
        } else if response.expectedContentLength > Int64(byteCountLimit) {
            failure = tooLong
        } else if let file {
            let isMade = FileManager.default.createFile(atPath: file.path, contents: nil)
            output = isMade ? FileHandle(forWritingAtPath: file.path) : nil
            if output == nil { failure = Failure(text: "no file can be made for it") }
        }
        completionHandler(failure == nil ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard failure == nil else { return }
        byteCount += data.count
        if byteCount > byteCountLimit {
            failure = tooLong
        } else {
            do {
                try output?.write(contentsOf: data)
            } catch {
                failure = Failure(error)
            }
        }
        if failure != nil { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        try? output?.close()
        output = nil
        let response = response ?? task.response as? HTTPURLResponse
        let completion = completion
        self.completion = nil
        if let failure = failure ?? error.map(Failure.init) {
            completion?(.failure(failure))
        } else if let response {
            completion?(.success(response))
        } else {
            completion?(.failure(Failure(text: "there was no answer of HTTP")))
        }
    }

    private var tooLong: Failure { Failure(text: "the answer has more than \(byteCountLimit) bytes") }
}
