import JSONLines
import Node
import ProcessHarness

/// Starts the measured processes: the node beside this program, and this program as a worker, in homes of one account.
final class Subject {
    /// This program, whatever its name and location.
    static let worker = "/proc/self/exe"
    /// The node built together with it.
    static let program = (Files.programFolder ?? ".") + "/kachat-node"

    let folder: TemporaryFolder
    private var homes = 0
    /// The words of the account, since there is a first home.
    private(set) var phraseFile: String?

    init() throws { folder = try TemporaryFolder("kachat-bench") }

    /// A new home of the account.
    func home(_ name: String) throws -> String {
        homes += 1
        let path = folder.file("\(name)-\(homes)")
        var arguments = ["--home", path, "init", "--name", name, "--json"]
        if let phraseFile { arguments += ["--phrase-file", phraseFile] }
        let reply = try Self.run(arguments)
        if phraseFile == nil {
            guard let json = JSONValue(json: Array(reply.utf8)), let phrase = json["phrase"]?.text else {
                throw BenchError("init did not tell the phrase")
            }
            let file = folder.file("phrase")
            try FileTree.write(Array((phrase + "\n").utf8), to: file)
            phraseFile = file
        }
        return path
    }

    /// Removes a file or folder that is no longer needed.
    func discard(_ path: String) { FileTree.remove(path) }

    func path(_ name: String) -> String { folder.file(name) }

    /// Starts the program.
    static func start(
        _ arguments: [String], program: String = Subject.program, errors: Command.Output = .discarded
    ) throws -> ChildProcess {
        var command = Command(program, arguments)
        command.errorOutput = errors
        return try ChildProcess(command)
    }

    /// Runs the program to its end and returns its output.
    @discardableResult
    static func run(_ arguments: [String], program: String = Subject.program) throws -> String {
        let child = try start(arguments, program: program, errors: .inherited)
        var lines: [String] = []
        while let line = try child.output?.next(within: .seconds(1_800)) { lines.append(line) }
        let status = try child.wait(within: .seconds(60))
        guard status.isSuccess else { throw BenchError("\(arguments.joined(separator: " ")): \(status)") }
        return lines.joined(separator: "\n")
    }

    /// Starts a worker.
    static func worker(_ role: String, _ arguments: [String]) throws -> WorkerProcess {
        try WorkerProcess(["worker", role] + arguments)
    }
}
