extension RandomAccessCollection {
    /// The index of the first element for which `isBeyond` is true, by binary search: it must be true for all that
    /// follow, too. The end if there is none.
    @inlinable
    package func partitioningIndex(where isBeyond: (Element) -> Bool) -> Index {
        var (low, left) = (startIndex, count)
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if isBeyond(self[middle]) {
                left = half
            } else {
                low = index(after: middle)
                left -= half + 1
            }
        }
        return low
    }
}

extension RandomAccessCollection where Element: Comparable {
    /// Whether an ascending collection has an element, by binary search.
    @inlinable
    package func holds(_ element: Element) -> Bool {
        let place = partitioningIndex { $0 >= element }
        return place < endIndex && self[place] == element
    }
}
