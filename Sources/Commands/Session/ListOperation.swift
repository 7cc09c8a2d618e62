import NodeCore
import NodeModel

/// The rows of a list, by their places. A row that is gone since the list began is nil.
struct ListRows {
    let count: Int
    let row: (Int) throws -> (any Model)?
}

/// An operation that lists, some rows a slice. It makes only the rows of the page that is asked for.
final class ListOperation: Operation {
    let changesData = false
    private let begin: () throws -> ListRows
    private var rows: ListRows?
    /// Places of the rows still to be given.
    private var rest = 0..<0

    /// - Parameter begin: called in the first slice.
    init(_ begin: @escaping () throws -> ListRows) { self.begin = begin }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        let rows = try self.rows ?? begin()
        if self.rows == nil {
            self.rows = rows
            rest = reply.rows(of: rows.count)
        }
        for place in rest.prefix(Limits.listSliceRows) {
            if let row = try rows.row(place) { reply.data(row) }
        }
        rest = rest.dropFirst(Limits.listSliceRows)
        return rest.isEmpty ? .done : .again
    }
}
