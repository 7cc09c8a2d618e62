import JSONLines
import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// Nobody notices a bench that measures nothing until the figure is needed.
    @Suite struct Bench {
        @Test func devicesThatMeetAgainAreMeasured() throws {
            let node = try #require(NodeBinary.besideThisProgram()).path
            let program = String(node.dropLast("kachat-node".count)) + "kachat-bench"
            let command = Command(
                program, ["equal", "diverged", "--lanes", "3", "--records", "200", "--runs", "1", "--json"])
            let result = try command.run(within: .seconds(300))
            try #require(result.status == .exited(0), "\(result.output)\n\(result.errorOutput)")
            let report = try #require(JSONValue(json: Array(result.output.utf8)))
            let bytes = report["figures"]?.elements.filter { $0["unit"]?.text == "B" } ?? []
            #expect(bytes.map { $0["row"]?.text } == ["diverged", "equal"], "\(result.output)")
            #expect(bytes.allSatisfy { $0["reached"]?.boolean == true }, "\(result.output)")
        }
    }
}
