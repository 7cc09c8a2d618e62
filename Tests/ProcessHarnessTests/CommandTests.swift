import ProcessHarness
import Testing

@Suite("Command", .timeLimit(.minutes(30)))
struct CommandTests {
    @Test("collects both streams and the status")
    func collects() throws {
        let result = try Command("/bin/sh", ["-c", "cat; echo bad >&2; exit 3"]).run(input: "one\ntwo\n")
        #expect(result.status == .exited(3))
        #expect(result.lines == ["one", "two"])
        #expect(result.errorOutput == "bad\n")
    }

    @Test("takes more than a pipe holds, both ways at once")
    func largeStreams() throws {
        let text = String(repeating: "0123456789abcde\n", count: 40_000)
        let result = try Command("cat").run(input: text)
        #expect(result.status.isSuccess)
        #expect(result.output == text)
    }

    @Test("survives a program that does not read its input")
    func unreadInput() throws {
        let result = try Command("true").run(input: String(repeating: "x", count: 1_000_000))
        #expect(result.status.isSuccess)
    }

    @Test("kills what is late")
    func late() {
        #expect(throws: HarnessError.timedOut(waitingFor: "`sleep 100` to end")) {
            try Command("sleep", ["100"]).run(within: .milliseconds(200))
        }
    }

    @Test("says what could not be started")
    func missingProgram() {
        #expect(throws: HarnessError.system(call: "start /no/such/program", reason: "No such file or directory")) {
            try Command("/no/such/program").run()
        }
    }

    @Test("sets and removes environment variables, and turns the backtracer off")
    func environment() throws {
        var command = Command("/bin/sh", ["-c", "echo \"$KACHAT_A-${HOME-none}-$SWIFT_BACKTRACE\""])
        command.environment = ["KACHAT_A": "b=c", "HOME": nil]
        #expect(try command.run().output == "b=c-none-enable=no\n")
    }

    @Test("limits the size of files, without killing")
    func fileSizeLimit() throws {
        let folder = try TemporaryFolder("harness-test")
        var command = Command("dd", ["if=/dev/zero", "of=" + folder.file("big"), "bs=1000", "count=100"])
        command.limits.fileSizeBytes = 51_200
        let result = try command.run()
        #expect(result.status == .exited(1))
        #expect(FileTree.sizeBytes(of: folder.file("big")) == 51_200)
    }

    @Test("appends to files")
    func fileOutput() throws {
        let folder = try TemporaryFolder("harness-test")
        for word in ["one", "two"] {
            var command = Command("echo", [word])
            command.output = .file(folder.file("log"))
            try ChildProcess(command).wait()
        }
        #expect(FileTree.read(folder.file("log")).map { String(decoding: $0, as: UTF8.self) } == "one\ntwo\n")
    }
}
