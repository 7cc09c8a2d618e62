import NodeDriver
import ProcessHarness
import TestScale
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    @Suite struct Demo {
        /// The demo of this build, in a folder for temporary files that nobody else uses.
        private func demo(in folder: TemporaryFolder) throws -> Command {
            let node = try #require(NodeBinary.besideThisProgram()).path
            let program = String(node.dropLast("kachat-node".count)) + "demo"
            var command = Command(program, ["--messages", TestScale.of(usual: "500", proof: "2000")])
            command.environment["TMPDIR"] = folder.path
            return command
        }

        @Test func endsWithATableInWhichAllAgreeAndLeavesNothing() throws {
            let folder = try TemporaryFolder("kachat-process")
            let result = try demo(in: folder).run(within: .seconds(600))
            #expect(result.status == .exited(0), "\(result.output)\n\(result.errorOutput)")
            #expect(result.output.hasSuffix("All 4 agree, and hold what the file has.\n"))
            #expect(FileTree.names(in: folder.path).isEmpty)
        }

        /// A node without the whole file is in sync with what the others have of it, and no further.
        @Test func noneIsSyncedBeforeItsBarIsFull() throws {
            let folder = try TemporaryFolder("kachat-process")
            let terminal = try SetupTerminal(try demo(in: folder), columns: 80)
            #expect(try terminal.end(within: .seconds(600)) == .exited(0), "\(terminal.shown)")
            let synced = terminal.shown.split(whereSeparator: \.isNewline).filter { $0.hasSuffix(" synced") }
            #expect(!synced.isEmpty && synced.allSatisfy { !$0.contains(".]") })
        }

        /// A history as `export` writes it, without devices; the README's own has one line.
        @Test(arguments: [1, 300]) func takesAHistoryWithoutDevices(count: Int) throws {
            let fixture = try Fixture()
            let node = try fixture.node("one")
            try node.run(["import", try fixture.file("talk", Talk(count).lines)])
            let export = try node.run(["export"])
            #expect(!export.contains("\"device\""))
            let folder = try TemporaryFolder("kachat-process")
            var command = try demo(in: folder)
            command.arguments = ["--chat", try fixture.file("history", [export])]
            let result = try command.run(within: .seconds(600))
            #expect(result.status == .exited(0), "\(result.output)\n\(result.errorOutput)")
            #expect(result.output.hasSuffix("All 4 agree, and hold what the file has.\n"))
        }

        @Test func stopsItsNodesAndLeavesNothingWhenInterrupted() throws {
            let folder = try TemporaryFolder("kachat-process")
            let child = try ChildProcess(try demo(in: folder))
            _ = try child.output?.first { $0.hasPrefix("2.") }
            child.signal(SIGINT)
            #expect(try child.wait() == .exited(130))
            #expect(FileTree.names(in: folder.path).isEmpty)
        }
    }
}
