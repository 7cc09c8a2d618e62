/// The latest of a series, numbered from the first one on: several readers follow it, each from its own place.
package struct RecentList<Element> {
    private let limit: Int
    private var elements: [Element] = []
    /// How many there were in all.
    package private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func append(_ element: Element) {
        if elements.count == limit { elements.removeFirst() }
        elements.append(element)
        count += 1
    }

    /// What came after the first `number`, as far as it is kept.
    package func after(_ number: Int) -> ArraySlice<Element> { elements.suffix(max(0, count - number)) }
}
