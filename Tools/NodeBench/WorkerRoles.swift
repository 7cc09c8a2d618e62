import CTrials

extension Worker {
    /// Plays the role that the first argument names, to its end.
    static func run(_ arguments: [String]) throws {
        guard let role = arguments.first else { throw BenchError("a worker needs a role") }
        let options = try BenchOptions(Array(arguments.dropFirst()))
        kachat_end_with_parent()
        switch role {
        case "node": try NodeWorker(options).run()
        case "peer": try PeerWorker(options).run()
        case "hints": try HintWorker(options).run()
        case "lanes": try LanesWorker.run(options, phraseFile: options.words.first ?? "")
        case "knock": try StrangersWorker.knock(port: try options.port, perSecond: options.pushes)
        case "crowd": StrangersWorker.crowd(port: try options.port)
        case "spray": try StrangersWorker.spray(perSecond: options.pushes)
        case "ask": try AskersWorker.run(port: try options.port, phraseFile: options.words.first ?? "")
        case "echo": try RawLimits.echo(givesBack: options.pushes > 0)
        case "plain-serve": try PlainRestore.serve(try options.folder)
        case "plain-fetch": try PlainRestore.fetch(try options.folder, port: try options.port)
        case "plain-answer": try PlainPush.answer(try options.folder)
        case "plain-push": try PlainPush.push(try options.folder, port: try options.port, count: options.pushes)
        default: throw BenchError("no such role: \(role)")
        }
    }
}
