// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import WorkerProtocol

/// The words of a worker that wait while files of one of its requests are taken: calls and contents come to the centre
/// in the order in which they were made.
///
/// A worker has a bounded number of calls and requests open, and so of words here.
struct WordLine {
    enum Word {
        case content(requestID: UInt64, WorkerMessage.Content, isLate: Bool)
        /// A call that the worker may make: that was judged when it was said.
        case call(id: UInt64, CenterCall)
    }

    var words: ArraySlice<Word> = []
    /// True while the files of the last word that was acted on are taken.
    var isTaking = false
    /// The end of the worker, which is heard behind its words.
    var end: (() -> Void)?

    /// Removes the contents, which come before the calls that wait with them: their time is up.
    mutating func takeContents() -> [Word] {
        let contents = words.filter(\.isContent)
        words = ArraySlice(words.filter { !$0.isContent })
        return Array(contents)
    }
}

extension WordLine.Word {
    fileprivate var isContent: Bool {
        if case .content = self { true } else { false }
    }
}
