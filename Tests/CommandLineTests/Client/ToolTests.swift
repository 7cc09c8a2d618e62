import Glibc
import NodeCore
import Testing

@testable import CommandLine
@testable import Commands
@testable import Node

@Suite struct ToolTests {
    /// The exit status of `version` when it writes to that file.
    private func status(writingTo path: String) throws -> Node.ExitStatus {
        let descriptor = try FileDescriptor(path: path, flags: O_WRONLY)
        let silent = try FileDescriptor(path: "/dev/null", flags: O_WRONLY)
        let tool = Tool(
            external: [], environment: .ofProcess(), output: Output(descriptor: descriptor.number),
            errors: Output(descriptor: silent.number))
        let status = tool.run(["version"])
        _ = (descriptor.number, silent.number)
        return status
    }

    @Test func anOutputThatIsLostIsAFailure() throws {
        #expect(try status(writingTo: "/dev/null") == .done)
        #expect(try status(writingTo: "/dev/full") == .failed)
    }

    @Test func whatToRunNamesTheHome() throws {
        let parser = CommandLineParser(commands: Tool.commands)
        func program(_ arguments: [String]) throws -> String {
            let output = Output(descriptor: STDERR_FILENO)
            return ToolContext(
                command: try parser.parse(arguments + ["status"]), commands: [], environment: .ofProcess(),
                output: output, errors: output, clock: SystemClock(), makeHTTPServer: nil, qr: { _ in nil }
            ).program
        }
        #expect(try program([]) == "kachat-node")
        #expect(try program(["--home", "/tmp/one"]) == "kachat-node --home /tmp/one")
        #expect(try program(["--home", "/my home/it's"]) == "kachat-node --home '/my home/it'\\''s'")
    }
}
