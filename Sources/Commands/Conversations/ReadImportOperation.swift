import Chat
import Node
import NodeCore
import NodeModel

/// `read import`: an old app's read positions, one conversation a line.
final class ReadImportOperation: Operation {
    let changesData = true
    private let zone: AccountZone
    private let clock: any Clock
    private var lines: LineImport
    private var advanced = 0

    init(_ call: Call) throws(NodeError) {
        zone = try call.account.zone
        clock = call.clock
        lines = LineImport(call, skipsBlankLines: true)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        try lines.step(&input, &reply) { bytes in
            let line = try ReadLine(json: bytes)
            let isNew = try zone.reads.adoptRead(
                line.conversationId, blockTime: UInt64(line.lastReadBlockTime), now: now, wall: clock.wall())
            if isNew { advanced += 1 }
        } finish: { lines in
            // The end of an import is a stable point.
            try zone.reads.publishReads()
            return ImportedReads { ($0.lines, $0.advanced, $0.refused) = (lines.lines, advanced, lines.refusals.count) }
        }
    }
}
