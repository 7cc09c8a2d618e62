import NodeCore
import NodeModel
import Testing

@testable import Commands
@testable import Node

@Suite struct ListOperationTests {
    /// The places of the rows that were made, the replies, and the slices, for a page of a list of 1,000 rows.
    private func list(_ page: CommandReply.Page?, gone: Set<Int> = []) throws -> (
        made: [Int], lines: [ReplyLine], slices: Int
    ) {
        var made: [Int] = []
        let operation = ListOperation {
            ListRows(count: 1_000) { place in
                made.append(place)
                return gone.contains(place) ? nil : Flushed { $0.segments = place }
            }
        }
        var (reply, input) = (CommandReply(page), InputLines())
        var slices = 0
        repeat { slices += 1 } while try operation.step(input: &input, reply: &reply, now: .zero) == .again
        reply.end()
        return (made, reply.take().map(ReplyLine.init), slices)
    }

    @Test func aPageCostsItsOwnRows() throws {
        let page = try list(CommandReply.Page(skips: 400, limit: 100))
        #expect(page.made == Array(400..<500))
        #expect(page.lines.count == 102 && page.lines.contains(.more("500")))
        let last = try list(CommandReply.Page(skips: 950, limit: 100))
        #expect(last.made == Array(950..<1_000))
        #expect(last.lines.count == 51, "no cursor on the last page")
        #expect(try list(CommandReply.Page(skips: 2_000, limit: 100)).made.isEmpty)
    }

    @Test func aLongListTakesManySlices() throws {
        let all = try list(nil)
        #expect(all.made == Array(0..<1_000))
        #expect(all.slices == (1_000 + Limits.listSliceRows - 1) / Limits.listSliceRows)
    }

    /// An item that disappears between two slices is left out.
    @Test func aRowMayBeGone() throws {
        #expect(try list(CommandReply.Page(skips: 0, limit: 3), gone: [1]).lines.count == 4)
    }
}
