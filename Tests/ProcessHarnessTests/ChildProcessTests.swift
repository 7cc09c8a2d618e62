import ProcessHarness
import Testing

@Suite("Child process", .timeLimit(.minutes(30)))
struct ChildProcessTests {
    @Test("is killed at once, and says by which signal")
    func killNow() throws {
        let child = try ChildProcess(Command("sleep", ["100"]))
        #expect(child.isRunning)
        child.killNow()
        #expect(try child.wait() == .killed(signal: 9))
        #expect(!child.isRunning)
        child.killNow()
    }

    @Test("gets SIGTERM whatever this process blocks")
    func terminate() throws {
        let child = try ChildProcess(
            Command("/bin/sh", ["-c", "trap 'echo ended; exit 7' TERM; echo ready; while :; do sleep 0.05; done"]))
        #expect(try child.output?.next() == "ready")
        #expect(child.stop() == .exited(7))
        #expect(try child.output?.next() == "ended")
    }

    @Test("is killed when it ignores SIGTERM")
    func stubborn() throws {
        let child = try ChildProcess(
            Command("/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"]))
        #expect(try child.output?.next() == "ready")
        #expect(child.stop(within: .milliseconds(200)) == .killed(signal: 9))
    }

    @Test("goes, with what it started, when its object goes")
    func releases() throws {
        var child: ChildProcess? = try ChildProcess(Command("/bin/sh", ["-c", "sleep 100 & echo $!; wait"]))
        let pid = try #require(try child?.output?.next())
        #expect(try Command("kill", ["-0", pid]).run().status.isSuccess)
        child = nil
        // It is up to init to reap the grandchild, which is gone or about to be.
        let deadline = Deadline(after: Deadline.patience)
        var state = "R"
        while !deadline.hasPassed, !["", "Z"].contains(state) {
            let words = try Command("ps", ["-o", "stat=", "-p", pid]).run().output
            state = String(words.prefix(1)).filter { $0 != "\n" }
        }
        #expect(["", "Z"].contains(state))
    }

    @Test("talks line by line")
    func conversation() throws {
        var command = Command("cat")
        command.input = .pipe
        let child = try ChildProcess(command)
        child.write("one\ntw")
        #expect(try child.output?.next() == "one")
        #expect(throws: HarnessError.timedOut(waitingFor: "a line of `cat`")) {
            try child.output?.next(within: .milliseconds(50))
        }
        child.write("o\nthree")
        #expect(try child.output?.next() == "two")
        child.closeInput()
        #expect(try child.output?.next() == "three")
        #expect(try child.output?.next() == nil)
        #expect(try child.wait() == .exited(0))
    }

    @Test("finds a line among others, and what is there without waiting")
    func searching() throws {
        let child = try ChildProcess(Command("/bin/sh", ["-c", "printf 'a\\nb\\nc\\nd\\n'; sleep 100"]))
        #expect(try child.output?.first { $0 == "b" } == "b")
        #expect(try child.output?.available() == ["c", "d"])
        #expect(try child.output?.available() == [])
    }

    @Test("a line that never comes is an error at the stream's end")
    func searchingInVain() throws {
        let child = try ChildProcess(Command("echo", ["a"]))
        #expect(throws: HarnessError.endOfStream(of: "echo a")) {
            try child.output?.first { $0 == "b" }
        }
    }
}
