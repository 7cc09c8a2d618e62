import ProcessHarness
import Testing

/// The worked examples are what docs/PROTOCOL.md says to somebody who has nothing but that page: scripts that know no
/// line of this program read them.
@Suite(.timeLimit(.minutes(30))) struct ScriptTests {
    static let hasPython = (try? Command("python3", ["-c", "pass"]).run().status.isSuccess) == true
    private static let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Scripts"

    @Test(.enabled(if: hasPython, "needs python3"), arguments: ["check-vectors.py", "check-groups.py"])
    func theExamplesAreWhatThePageSays(script: String) throws {
        let result = try Command("python3", ["-B", "/\(Self.folder)/\(script)"]).run()
        #expect(result.status.isSuccess, "\(result.errorOutput)")
        #expect(result.output.contains("are what docs/PROTOCOL.md says"))
    }
}
