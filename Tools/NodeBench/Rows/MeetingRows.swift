import Node
import NodeCore

/// Two devices meet again after being apart, with no differences or with a hundred new records each.
struct MeetingRows {
    /// Bytes of a handshake: the challenge, the hint, and the two messages of NNpsk0.
    private static let handshakeBytes: Int64 = 32 + 8 + 48 + 48
    private static let differing = 100
    let subject: Subject
    let options: BenchOptions

    /// Equal zones with several lanes.
    func equal() throws -> [Figure] {
        let one = try subject.home("equal")
        let other = try subject.home("equal")
        try Subject.run(
            [
                "worker", "lanes", "--home", one, "--records", "10", "--lanes", "\(options.lanes)",
                subject.phraseFile ?? "",
            ],
            program: Subject.worker)
        _ = try meet(one, other, records: 10)
        var (bytes, milliseconds): ([Double], [Double]) = ([], [])
        for _ in 0..<max(options.runs, 5) {
            let met = try meet(one, other, records: 10)
            bytes.append(Double(met.bytes))
            milliseconds.append(met.milliseconds)
        }
        return [
            Figure("equal", "bytes both ways after the handshake", bytes.median, "B", goal: .atMost(1_024)),
            Figure("equal", "until both know it", milliseconds.median, "ms"),
        ]
    }

    /// A hundred records on each side that the other lacks, among many.
    func diverged(_ one: FilledHome, _ other: String) throws -> [Figure] {
        var (overhead, milliseconds): ([Double], [Double]) = ([], [])
        // The restored device has written its own description since, so they are synced first.
        var records = try meet(one.home, other, records: one.records).records
        for run in 0..<max(options.runs, 3) {
            var payload: Int64 = 0
            for (side, home) in [one.home, other].enumerated() {
                let from = 10_000_000 + (2 * run + side) * Self.differing
                let said = try Subject.run(
                    ["fill", "--home", home, "--records", "\(Self.differing)", "--from", "\(from)", "--json"],
                    program: Subject.worker)
                payload += Self.addedBytes(said)
            }
            records += 2 * Self.differing
            let met = try meet(one.home, other, records: records)
            overhead.append(Double(met.bytes - payload))
            milliseconds.append(met.milliseconds)
        }
        return [
            Figure("diverged", "bytes besides records and blobs", overhead.median, "B", goal: .atMost(4_096)),
            Figure("diverged", "from reconnection until both have all", milliseconds.median, "ms", goal: .atMost(50)),
        ]
    }

    private static func addedBytes(_ said: String) -> Int64 {
        said.split { !$0.isNumber }.last.flatMap { Int64($0) } ?? 0
    }

    private struct Meeting {
        let bytes: Int64
        let milliseconds: Double
        let records: Int
    }

    /// Lets two homes sync until both have everything. Measures from the connection that the dialling side opens: the
    /// dialer spreads its attempts, so the time before that is arbitrary.
    private func meet(_ one: String, _ other: String, records: Int) throws -> Meeting {
        let arguments = ["--records", "\(records)", "--wait"]
        let listening = try Subject.worker("node", ["--home", one] + arguments)
        let port = try listening.port()
        let dialling = try Subject.worker("node", ["--home", other, "--port", port] + arguments)
        let there = try listening.numbers("complete", within: 60)
        let here = try dialling.numbers("complete", within: 60)
        // Counts messages that are still being sent, too.
        PlainSocket.pause(milliseconds: 100)
        dialling.stop()
        listening.stop()
        let wire = try dialling.numbers("wire")
        return Meeting(
            bytes: wire[0] + wire[1] - Self.handshakeBytes,
            milliseconds: Double(max(there[0], here[0]) - here[2]) / 1e6, records: Int(here[3]))
    }
}
