package import Commands
import Glibc
import Node
import NodeCore
import SyncState

/// `kachat-node bench`: measures the node and compares it with the limits of this machine.
package enum Bench {
    /// For the program's help; the arguments are parsed here.
    package static let spec = CommandSpec(
        "bench", summary: "Measure this program against the limits of this machine",
        examples: [
            "", "restore-blobs push --json", "restore-messages --chat history.jsonl --repeat 25",
            "fill --home DIR --records 40000 --seed 1",
        ])

    /// Runs the named measurements (arguments without the word `bench`), or all if none is named. Returns the exit
    /// status: 0 even if a goal is missed, since the table shows that.
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            if arguments.first == "worker" {
                try Worker.run(Array(arguments.dropFirst()))
                return 0
            }
            let options = try BenchOptions(arguments)
            if options.words.first == "fill" {
                try fill(options)
            } else {
                try measure(options)
            }
            return 0
        } catch {
            Output.standardError().line("kachat-node bench: \(error)")
            return 1
        }
    }

    private static func fill(_ options: BenchOptions) throws {
        let home = try options.folder
        let before = try FilledHome.size(home)
        let filled = options.isOfMessages ? try FilledHome.messages(home, options) : try FilledHome.blobs(home, options)
        Output.standardOutput().line(
            "{\"records\":\(filled.records),\"messages\":\(filled.messages),\"addedBytes\":\(filled.bytes - before)}")
    }

    private static func measure(_ options: BenchOptions) throws {
        let wanted = options.words.isEmpty || options.words == ["all"] ? BenchRun.rows : options.words
        for word in wanted where !BenchRun.rows.contains(word) {
            throw BenchError("no such row: \(word); there are \(BenchRun.rows.joined(separator: ", ")), all and fill")
        }
        var run = try BenchRun(options, rows: Set(wanted))
        // If one row cannot be measured, the others, which took minutes, are still printed.
        defer { Output.standardOutput().line(options.isJSON ? run.report.json : run.report.table) }
        try run.measure()
    }
}
