/// The latest elements of a numbered series. Several readers follow it, each from its own place.
package struct RecentList<Element> {
    private let limit: Int
    private var elements: [Element] = []
    /// The number of elements so far.
    package private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ element: Element) {
        if elements.count == limit { elements.removeFirst() }
        elements.append(element)
        count += 1
    }

    /// The elements after the first `number`, as far as they are kept.
    package func after(_ number: Int) -> ArraySlice<Element> { elements.suffix(max(0, count - number)) }
}
