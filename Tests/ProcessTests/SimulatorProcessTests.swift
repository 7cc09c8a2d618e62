import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// The output of `kachat-node sim` on a failure replays it.
    @Suite struct Simulator {
        /// Within one process, dictionaries with the same keys have the same order; in another process it differs.
        @Test func aSeedGivesTheSameTraceInAnotherProcess() throws {
            let fixture = try Fixture()
            let arguments = ["sim", "--seed", "3023", "--nodes", "9", "--hours", "0.2", "--workload", "group"]
            let traces = try (0..<2).map { _ in
                let result = try Command(fixture.binary.path, arguments).run()
                try #require(result.status.isSuccess, "\(result.output)\(result.errorOutput)")
                return try #require(result.lines.last { $0.hasPrefix("trace ") })
            }
            #expect(traces[0] == traces[1])
        }
    }
}
