/// Cursors by the newest time they can still give.
struct SearchHeap {
    /// A binary heap, the newest first.
    private var cursors: [SearchCursor] = []

    var isEmpty: Bool { cursors.isEmpty }
    /// The newest time among all; nil where none is left.
    var newest: UInt64? { cursors.first?.newest }

    mutating func insert(_ cursor: SearchCursor) {
        cursors.append(cursor)
        var place = cursors.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard comesBefore(place, parent) else { return }
            cursors.swapAt(place, parent)
            place = parent
        }
    }

    mutating func popNewest() -> SearchCursor? {
        guard !cursors.isEmpty else { return nil }
        cursors.swapAt(0, cursors.count - 1)
        let newest = cursors.removeLast()
        var place = 0
        while true {
            var first = place
            for child in [2 * place + 1, 2 * place + 2] where child < cursors.count && comesBefore(child, first) {
                first = child
            }
            guard first != place else { return newest }
            cursors.swapAt(place, first)
            place = first
        }
    }

    private func comesBefore(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (cursors[left], cursors[right])
        return first.newest == second.newest
            ? first.conversation < second.conversation : first.newest > second.newest
    }
}
