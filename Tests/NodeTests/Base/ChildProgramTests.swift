import Glibc
import ProcessHarness
import Testing

@testable import Node

@Suite struct ChildProgramTests {
    @Test func aProgramIsRunToItsEnd() {
        #expect(ChildProgram.run("/bin/sh", ["-c", "exit 7"]) == 7)
        #expect(ChildProgram.run("/bin/sh", ["-c", "[ \"$WORD\" = '$(a) b' ]"], environment: ["WORD": "$(a) b"]) == 0)
        #expect(ChildProgram.run("/bin/sh", ["-c", "kill -9 $$"]) == nil)
        #expect(ChildProgram.run("/nowhere/program", []) == nil)
    }

    /// A shell waits for its child: both take too long, and both are ended.
    @Test func whatTakesTooLongEndsWithAllThatItStarted() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/pid"
        var sleeper: pid_t?
        // On a busy machine the shell may not get to its second word.
        for seconds in [1, 10, 60] where sleeper == nil {
            let words = ["-c", "sleep 600 & echo $! > '\(file)'; wait"]
            #expect(ChildProgram.run("/bin/sh", words, seconds: seconds) == nil)
            sleeper = (try? Files.readText(file, limit: 100)).flatMap { pid_t($0.filter(\.isNumber)) }
        }
        let pid = try #require(sleeper)
        for _ in 0..<6_000 where isRunning(pid) { usleep(10_000) }
        #expect(!isRunning(pid))
    }

    /// According to proc(5), a process that nobody has waited for is a zombie, which no longer runs.
    private func isRunning(_ pid: pid_t) -> Bool {
        guard let stat = try? Files.readText("/proc/\(pid)/stat", limit: 4096) else { return false }
        return !(stat.split(separator: ")").last?.hasPrefix(" Z") ?? true)
    }
}
