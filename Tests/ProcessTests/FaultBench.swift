import NodeDriver
import ProcessHarness
import TestScale
import Testing

/// Makes programs fail at successive calls that change something on the disk (`Tools/faulty-calls`).
struct FaultBench {
    enum Fault: String, CaseIterable {
        /// Before the call; in the middle of a write.
        case kill, tear
        /// Once, with EIO or ENOSPC.
        case fail, full
    }

    private static let source =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Tools/faulty-calls/faulty.c"
    static let hasCompiler = (try? Command("cc", ["--version"]).run().status.isSuccess) == true

    let fixture: Fixture
    let library: String
    /// The file that is created when a fault happens.
    let mark: String

    init() throws {
        fixture = try Fixture()
        (library, mark) = (fixture.folder.file("faulty.so"), fixture.folder.file("happened"))
        let made = try Command("cc", ["-O1", "-shared", "-fPIC", "-o", library, Self.source, "-ldl"]).run()
        try #require(made.status.isSuccess, "\(made.errorOutput)")
    }

    /// Fails each n-th call in turn, until there are no more.
    ///
    /// - Parameters:
    ///   - what: the subject, for the printed count.
    ///   - few: the calls of `make test`, where the faults take turns; `make prove` tries each fault at each call.
    /// - Returns: the number of faults that happened.
    @discardableResult
    func sweep(
        _ what: String, _ few: some Sequence<Int>, _ body: (FaultAttempt) throws -> Void
    ) throws -> Int {
        var (index, happened, last) = (0, 0, 0)
        for call in TestScale.of(usual: AnySequence(few), proof: AnySequence(1...)) {
            let before = happened
            for fault in TestScale.of(usual: [Fault.allCases[call % Fault.allCases.count]], proof: Fault.allCases) {
                FileTree.remove(mark)
                try body(FaultAttempt(index, fault, at: call, self))
                index += 1
                if FileTree.exists(mark) { happened += 1 }
            }
            guard happened > before else { break }
            last = call
        }
        print("\(what): \(happened) faults, up to call \(last)")
        return happened
    }
}

/// A program run with the library, which is to fail at one call.
struct FaultAttempt {
    /// The position in the sweep, different in each attempt.
    let index: Int
    let fault: FaultBench.Fault
    let call: Int
    private let bench: FaultBench

    init(_ index: Int, _ fault: FaultBench.Fault, at call: Int, _ bench: FaultBench) {
        (self.index, self.fault, self.call, self.bench) = (index, fault, call, bench)
    }

    var comment: Comment { "\(fault) at call \(call)" }

    /// - Parameter folder: changes elsewhere do not count.
    func environment(below folder: String) -> [String: String] {
        [
            "LD_PRELOAD": bench.library, "KACHAT_FAULT_FOLDER": folder + "/", "KACHAT_FAULT_AT": "\(call)",
            "KACHAT_FAULT": fault.rawValue, "KACHAT_FAULT_MARK": bench.mark,
        ]
    }

    func command(_ home: String, _ arguments: [String], below folder: String) throws -> CommandResult {
        var command = bench.fixture.binary.command(home: home, arguments)
        command.environment.merge(environment(below: folder)) { $1 }
        return try command.run(within: Deadline.patience)
    }

    /// Runs a command that fails; without the fault it then succeeds, or says that it was done already.
    func command(_ home: String, _ arguments: [String], below folder: String, orSays done: String) throws {
        guard try !command(home, arguments, below: folder).status.isSuccess else { return }
        let again = try bench.fixture.binary.command(home: home, arguments).run(within: Deadline.patience)
        #expect(
            again.status.isSuccess || again.errorOutput.contains(done),
            "\(comment): \(again.errorOutput.suffix(500))")
    }
}
