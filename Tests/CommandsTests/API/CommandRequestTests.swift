import NodeModel
import Testing

@testable import Commands
@testable import Node

/// The command line's HTTP request asks for exactly what it was given.
@Suite struct CommandRequestTests {
    /// A text that the command line allows for the parameter.
    private func sample(_ parameter: ParameterSpec) -> String {
        guard let kind = parameter.value else { return "" }
        if case .choice(_, let words) = kind { return words[0] }
        if case .number(_, let range) = kind { return "\(range.lowerBound)" }
        let texts = [
            "a b/c?d=ä&%+\"'", "a b", "1.5", "7", String(repeating: "ab", count: 32), "2026-11-21", "127.0.0.1:4711",
            "lo", "20261121", "00000000-0000-0000-0000-00000000000a", "7d", "chat:read", "a.svg", "kachat:abc",
        ]
        return texts.first { kind.complaint($0) == nil } ?? ""
    }

    private func read(_ request: CommandRequest) throws -> Invocation {
        let target = try HTTPTarget(request.target)
        guard case .found(let endpoint, let path) = APITable.router.match(request.method, target.path) else {
            throw NodeError(.notFound, "no endpoint for \(request.target)")
        }
        let reader = RequestReader(endpoint: endpoint, isOfCommandLine: true)
        var arguments = try reader.arguments(path: path, query: target.query)
        if case .fields(let fields) = request.body {
            arguments.merge(try reader.arguments(body: fields.encoded)) { $1 }
        }
        guard case .command(let name) = endpoint.action else { throw NodeError(.failed, "no command") }
        return Invocation(command: name, arguments: arguments)
    }

    @Test(arguments: Command.all.map(\.name)) func itArrivesAsItWasGiven(name: String) throws {
        let command = try #require(Command.named(name))
        for endpoint in command.endpoints {
            var given: [String: [String]] = endpoint.fixed
            for parameter in command.spec.parameters
            where endpoint.parameters.contains(where: { $0.option == parameter.name }) {
                given[parameter.name] = [sample(parameter)]
                if parameter.isRepeatable { given[parameter.name]?.append(sample(parameter)) }
            }
            // The command line finds these by itself.
            for parameter in endpoint.parameters where parameter.isRequired {
                if let option = parameter.option, given[option] == nil { given[option] = ["x"] }
            }
            let request = Invocation(command: name, arguments: given)
            // Another endpoint of the command may take the same arguments, and is as good.
            #expect(try read(CommandRequest(request)) == request, "\(endpoint.id)")
        }
    }

    /// Other programs may send requests like the command line's.
    @Test(arguments: ["a\0b", String(repeating: "x", count: Limits.sentArgumentBytes + 1)])
    func whatNoCommandLineCouldSayIsRefused(text: String) throws {
        let endpoint = try #require(Command.messageList.endpoints.first)
        let reader = RequestReader(endpoint: endpoint, isOfCommandLine: true)
        #expect(throws: Problem.self) {
            try reader.arguments(path: [:], query: [HTTPTarget.Item(name: "conversation", value: text)])
        }
    }

    @Test func whatIsMissingIsSaid() {
        #expect(throws: NodeError.self) { try CommandRequest(Invocation(command: "message list", arguments: [:])) }
        do {
            _ = try CommandRequest(Invocation(command: "message list", arguments: [:]))
        } catch {
            #expect(error.message == "message list needs CONVERSATION, or --placeholders")
        }
        // An invitation lacks nothing; the option belongs to the other endpoint.
        let both = ["TOKEN": ["kachat:a"], "--timeout": ["5"]]
        let refused = #expect(throws: NodeError.self) {
            try CommandRequest(Invocation(command: "group join", arguments: both))
        }
        #expect(refused?.message == "group join takes --timeout only with --nearby")
    }

    @Test func aChangeOfNothingSaysWhatCouldBeGiven() {
        do {
            _ = try CommandRequest(Invocation(command: "conversation set", arguments: ["CONVERSATION": ["alice"]]))
            Issue.record("it was made")
        } catch {
            #expect(error.message.hasPrefix("conversation set needs at least one of --title, --participant, "))
        }
    }

    @Test func takingAwayCountsBeforeAValue() throws {
        let given = ["CONVERSATION": ["alice"], "--title": ["A"], "--no-title": [""]]
        let read = try read(CommandRequest(Invocation(command: "conversation set", arguments: given)))
        #expect(read.arguments == ["CONVERSATION": ["alice"], "--no-title": [""]])
    }

    @Test func whatTheCommandLineKeepsIsNotSent() throws {
        let txid = String(repeating: "ab", count: 32)
        let request = try CommandRequest(
            Invocation(command: "message delete", arguments: ["TXID": [txid], "--yes": [""]]))
        #expect(request.method == "DELETE" && request.target == "/v1/messages/\(txid)")
    }
}
