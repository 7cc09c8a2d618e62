import Chat
import Node
import NodeCore
import NodeModel

/// What tells how the node stands.
extension Command {
    static let standing: [Command] = [status, explain, doctor, diagnostics, peers]

    static let status: Command = {
        let watch = Parameter.flag(
            "--watch", "go on until interrupted: over and over on a terminal, else a line for what changes")
        return Command(
            "status", "Show what is here, whether it is complete, and who is in reach",
            examples: ["kachat-node status", "kachat-node status --watch", "kachat-node status --json"],
            takes: [watch], on: .node,
            at: [
                Endpoint(
                    "status", .get, "/v1/status", .anyToken,
                    "What is here, whether it is complete, and who is in reach",
                    answer: .object(NodeStatus.self, shows: StatusText.status)),
                Endpoint(
                    "watchStatus", .get, "/v1/status/watch", .home, "The status, twice a second and without an end",
                    fixed: [(watch, "")], answer: .lines(of: NodeStatus.self)),
                Endpoint(
                    "metrics", .get, "/metrics", .anyToken, "Counts and states, for Prometheus",
                    answer: .metrics(from: NodeStatus.self)),
            ]
        ) { call throws(NodeError) in
            guard !call.has(watch) else {
                _ = try call.network
                return StatusWatchOperation(node: call.node)
            }
            return reading { try NodeReporter(call.node).status(only: call.onlyAccount) }
        }
    }()

    static let explain: Command = {
        let subject = Parameter.text("WHAT", .text("TXID|CONVERSATION"), "a txid or a conversation's id")
        return Command(
            "explain", "Say where a message or a conversation is, how it came, and what is still missing of it",
            examples: ["kachat-node explain TXID", "kachat-node explain alice --json"], takes: [subject, account],
            at: [
                Endpoint(
                    "explain", .get, "/v1/explain", .scope(.chatRead),
                    "Where a message or a conversation is, how it came, and what is still missing of it",
                    takes: [subject], answer: .object(Explanation.self, shows: ExplanationText.show))
            ]
        ) { call throws(NodeError) in
            let reporter = ZoneReporter(try call.account, of: call.node)
            let subject = try call.need(subject)
            if let txid = TxID(hex: subject) { return ExplainMessageOperation(txid, reporter) }
            return ExplainConversationOperation(subject, reporter)
        }
    }()

    static let doctor = Command(
        "doctor", "Look at all that a node needs, and say what to do where something is wrong",
        examples: ["kachat-node doctor", "kachat-node doctor --json", "kachat-node doctor --discovery lo"],
        takes: [
            Parameter.text(
                "--discovery", .discovery,
                "where no node runs: the interfaces to try (default: those that `run` would use)")
        ], on: .node,
        at: [
            Endpoint(
                "doctor", .get, "/v1/doctor", .home, "How the node, its stores and its devices are",
                answer: .list(of: Check.self))
        ]
    ) { call throws(NodeError) in DoctorOperation(node: call.node) }

    static let diagnostics = Command(
        "diagnostics", "Show what a bug report needs: no names, no addresses, no messages, no secrets",
        examples: ["kachat-node diagnostics", "kachat-node diagnostics --json > report.json"], on: .node,
        at: [
            Endpoint(
                "diagnostics", .get, "/v1/diagnostics", .scope(.admin),
                "What a bug report needs: no names, no addresses, no messages, no secrets",
                answer: .object(Diagnostics.self, shows: DiagnosticsText.show))
        ]
    ) { call throws(NodeError) in reading { try Diagnosis(call.node).report() } }

    static let peers = Command(
        "peers", "List the devices that the running node knows", examples: ["kachat-node peers"], takes: [account],
        on: .node, needsRunningNode: true,
        at: [
            Endpoint(
                "peers", .get, "/v1/peers", .anyToken, "The devices that the running node knows",
                answer: .list(of: Peer.self) { peer, output in output.line(StatusText.peer(peer)) })
        ]
    ) { call throws(NodeError) in
        let network = try call.network
        let account = call.has(account) ? try call.account : nil
        return listing { account.map(network.peers) ?? network.peers }
    }
}

/// `status --watch`: the status every half second, until the caller goes.
final class StatusWatchOperation: Operation {
    let changesData = false
    private let node: LocalNode

    init(node: LocalNode) {
        self.node = node
    }

    package func step(
        input: inout InputLines, reply: inout CommandReply, now: MonotonicTime
    ) throws(NodeError) -> OperationProgress {
        do {
            reply.data(try NodeReporter(node).status(only: nil))
        } catch {
            throw NodeError(cause: error)
        }
        return .waiting(until: now + Limits.watchPause)
    }
}
