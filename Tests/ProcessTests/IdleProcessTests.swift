import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// A node that has nothing to do takes no turns: a deadline that is never met would show nowhere else. The bound is
    /// wide, since it is to catch a loop and to measure nothing.
    @Suite struct Idle {
        @Test func aNodeAloneRests() throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("chat", Talk(200).lines)])
            try node.start()
            try expectRest(node)
        }

        @Test func twoThatHoldTheSameRest() throws {
            let fixture = try Fixture()
            let nodes = try fixture.started("one", "two")
            let talk = Talk(200)
            try nodes[0].run(["import", try fixture.file("chat", talk.lines)])
            try fixture.waitForAgreement(nodes, messages: talk.messages.count)
            for node in nodes { try expectRest(node) }
        }

        private func expectRest(_ node: DrivenNode, sourceLocation: SourceLocation = #_sourceLocation) throws {
            // What is begun is ended first: beacons, index, the first look for peers.
            usleep(3_000_000)
            let pid = try #require(node.process?.pid)
            let before = try Self.processorSeconds(pid)
            usleep(2_000_000)
            let used = try Self.processorSeconds(pid) - before
            #expect(used < 1, "\(node.name) used \(used) s of 2", sourceLocation: sourceLocation)
        }

        /// User and system time so far: fields 14 and 15 of /proc/PID/stat (proc(5)), counted behind the name, which
        /// may hold blanks.
        private static func processorSeconds(_ pid: Int32) throws -> Double {
            let text = String(decoding: try #require(FileTree.read("/proc/\(pid)/stat")), as: UTF8.self)
            let fields = try #require(text.split(separator: ")").last).split(separator: " ")
            let ticks = try #require(Double(fields[11])) + #require(Double(fields[12]))
            return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }
}
