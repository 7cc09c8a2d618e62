import ProcessHarness
import Testing

/// The models of docs/models hold on a small scale, and notice omissions; `make prove` runs them in full.
@Suite(.timeLimit(.minutes(30))) struct ScriptModelTests {
    static let hasPython = ScriptTests.hasPython
    static let hasSpin = ["spin", "cc"].allSatisfy { (try? Command("which", [$0]).run().status.isSuccess) == true }
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/models/"

    private func run(_ model: String, _ arguments: [String]) throws -> CommandResult {
        try Command("python3", ["-B", Self.folder + model] + arguments).run()
    }

    @Test(.enabled(if: hasPython, "needs python3"), arguments: [nil, "no-gap", "undo-loses", "sums", "both-heal"])
    func lanes(without rule: String?) throws {
        let result = try run("lanes.py", ["40"] + (rule.map { ["--break", $0] } ?? []))
        #expect(result.status.isSuccess == (rule == nil), "\(result.output)\(result.errorOutput)")
    }

    @Test(.enabled(if: hasPython, "needs python3"), arguments: [nil, "anybody-removes", "removed-endorses"])
    func ledger(without rule: String?) throws {
        let result = try run("ledger.py", ["12"] + (rule.map { ["--break", $0] } ?? []))
        #expect(result.status.isSuccess == (rule == nil), "\(result.output)\(result.errorOutput)")
    }

    /// Checks a small world of a Spin model completely.
    @Test(.enabled(if: hasPython && hasSpin, "needs python3, spin and cc"))
    func everyState() throws {
        let result = try run("spin.py", ["--small"])
        #expect(result.status.isSuccess, "\(result.output)\(result.errorOutput)")
    }
}
