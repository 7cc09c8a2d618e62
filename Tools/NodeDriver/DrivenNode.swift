package import ProcessHarness

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A real node in its own home, controlled by commands, as by a person or a script. Used by one thread at a time.
package final class DrivenNode {
    package let name: String
    package let home: String
    package let binary: NodeBinary
    /// The running `kachat-node run`, if there is one.
    package private(set) var process: ChildProcess?
    /// `HOST:PORT` of the last start.
    package private(set) var listen: String?
    /// `HOST:PORT` of the local API of the last start.
    package private(set) var api: String?
    /// The arguments of `run`.
    package var runArguments = ["--discovery", "lo", "--listen", "127.0.0.1:0", "--api", "127.0.0.1:0"]
    package var limits = Command.Limits()
    /// Environment variables for `run`, added to this process's own.
    package var environment: [String: String] = [:]

    /// - Parameter home: created by `initialise`; short, since a unix socket in it must have a short path.
    package init(_ binary: NodeBinary, name: String, home: String) {
        self.binary = binary
        self.name = name
        self.home = home
    }

    /// The node's standard error, over all its runs.
    package var logPath: String { home + ".log" }

    package var log: String { FileTree.read(logPath).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The port on which it listens.
    package var port: UInt16? { listen?.split(separator: ":").last.flatMap { UInt16($0) } }

    /// The port of the local API.
    package var apiPort: UInt16? { api?.split(separator: ":").last.flatMap { UInt16($0) } }

    // MARK: Commands

    /// Runs a command to its end, whatever the result.
    package func attempt(
        _ arguments: [String], input: String? = nil, within duration: Duration = Deadline.patience
    ) throws(HarnessError) -> CommandResult {
        try binary.command(home: home, arguments).run(input: input, within: duration)
    }

    /// Runs a command that must succeed.
    /// - Returns: its standard output.
    @discardableResult
    package func run(
        _ arguments: [String], input: String? = nil, within duration: Duration = Deadline.patience
    ) throws -> String {
        let result = try attempt(arguments, input: input, within: duration)
        guard result.status.isSuccess else {
            let words = arguments.joined(separator: " ")
            throw DriverError("\(name): kachat-node \(words): \(result.status): \(result.errorOutput.prefix(2_000))")
        }
        return result.output
    }

    /// Runs a command that must succeed and prints one JSON object.
    package func object<Value: Decodable>(_ type: Value.Type, _ arguments: [String]) throws -> Value {
        let text = try run(arguments + ["--json"])
        return try Self.decode(type, text[...], from: arguments)
    }

    /// Runs a command that must succeed and prints one JSON object per line.
    package func objects<Value: Decodable>(_ type: Value.Type, _ arguments: [String]) throws -> [Value] {
        try run(arguments + ["--json"]).split(separator: "\n").map { try Self.decode(type, $0, from: arguments) }
    }

    /// Decodes the output of a command.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, _ text: Substring, from arguments: [String]
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw DriverError("\(arguments.joined(separator: " ")) answered \(text.prefix(500)): \(error)")
        }
    }

    package func status() throws -> NodeStatus { try object(NodeStatus.self, ["status"]) }

    /// Creates the home, with a new account or that of the phrase.
    package func initialise(phraseFile: String? = nil) throws {
        try run(["init", "--name", name] + (phraseFile.map { ["--phrase-file", $0] } ?? []))
    }

    /// Writes the account's phrase into a file that only its owner can read.
    package func savePhrase(to path: String) throws {
        struct Phrase: Decodable { var phrase: String }
        let phrase = try object(Phrase.self, ["account", "phrase"]).phrase
        try FileTree.write(Array((phrase + "\n").utf8), to: path)
    }

    // MARK: Running

    /// Starts `run` and waits until the node serves.
    package func start(within duration: Duration = Deadline.patience) throws {
        /// The line that `run` prints when it serves.
        struct Ready: Decodable {
            var listen: String?
            var api: String?
        }
        var command = binary.command(home: home, ["run"] + runArguments)
        command.errorOutput = .file(logPath)
        command.limits = limits
        for (name, value) in environment { command.environment[name] = value }
        let process = try ChildProcess(command)
        do {
            let line = try process.output?.first(within: duration) { $0.contains("\"ready\"") } ?? ""
            let ready = try Self.decode(Ready.self, line[...], from: ["run"])
            (listen, api) = (ready.listen, ready.api)
        } catch {
            let status = try? process.wait(within: .milliseconds(200))
            throw DriverError("\(name): run: \(error), \(status.map { "\($0)" } ?? "running"): \(log.suffix(2_000))")
        }
        self.process = process
    }

    /// Sends SIGKILL and waits until the process is gone.
    package func kill() throws {
        process?.killNow()
        try process?.wait()
        process = nil
    }

    /// Sends SIGTERM and waits; SIGKILL if that does not end it.
    @discardableResult
    package func stop() -> ExitStatus? {
        defer { process = nil }
        return process?.stop()
    }
}
