// SPDX-License-Identifier: Apache-2.0

/// First in, first out; what was taken is let go at once, and so is the room of a crowd that has passed.
///
/// An `ArraySlice` keeps what was taken from its front until it next grows, which for a queue that is rarely empty
/// means the payloads of thousands of pushes. What each push calls is inlined into its callers: a call that is not
/// inlined looks the element's type up, even one that only counts.
package struct Backlog<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable @inline(__always) package var count: Int { elements.count - head }
    @inlinable @inline(__always) package var isEmpty: Bool { count == 0 }
    @inlinable @inline(__always) package var first: Element? { isEmpty ? nil : elements[head] }

    /// A copy of everything, in order.
    package var all: [Element] { elements[head...].compactMap { $0 } }

    @inlinable @inline(__always) package mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// A copy of the first elements, so many at most, in order.
    package func prefix(_ count: Int) -> [Element] {
        elements[head..<min(elements.count, head + count)].compactMap { $0 }
    }

    /// Puts an element before all others.
    package mutating func prepend(_ element: Element) {
        if head == 0 {
            elements.insert(element, at: 0)
        } else {
            head -= 1
            elements[head] = element
        }
    }

    @inlinable @inline(__always) package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer { letGo() }
        defer { head += 1 }
        return elements[head].take()
    }

    /// Takes out the first element that fits.
    package mutating func remove(where fits: (Element) -> Bool) {
        guard let index = elements[head...].firstIndex(where: { $0.map(fits) ?? false }) else { return }
        elements.remove(at: index)
        letGo()
    }

    /// Takes out everything, in order.
    package mutating func removeAll() -> [Element] {
        defer { self = Backlog() }
        return all
    }

    @inlinable @inline(__always) mutating func letGo() {
        if isEmpty {
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if head > 32, head > count {
            elements = Array(elements[head...])
            head = 0
        }
    }
}

extension Backlog where Element: Comparable {
    /// Puts an element in its place among ascending ones, unless it is there.
    package mutating func insert(_ element: Element) {
        var (low, high) = (head, elements.count)
        // Most often the new one is the last.
        if let last = elements.last, let last, last < element { low = high }
        while low < high {
            let middle = (low + high) / 2
            if let other = elements[middle], other < element { low = middle + 1 } else { high = middle }
        }
        guard low == elements.count || elements[low] != element else { return }
        if low == head { prepend(element) } else { elements.insert(element, at: low) }
    }
}

extension Backlog: Sendable where Element: Sendable {}
