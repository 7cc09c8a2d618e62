import Chat
import Node
import NodeCore
import NodeModel

/// Commands about the node's state.
extension Command {
    static let standing: [Command] = [status, explain, doctor, diagnostics, peers]

    static let status: Command = {
        let watch = Parameter.flag(
            "--watch", "continue until interrupted: repeated on a terminal, otherwise a line for each change")
        return Command(
            "status", "Show what is here, whether it is complete, and who is in reach",
            examples: ["", "--watch", "--json"], takes: [watch], on: .node,
            at: [
                Endpoint(
                    "status", .get, "/v1/status", .anyToken, takes: [],
                    answer: .object(NodeStatus.self, shows: StatusText.status)),
                Endpoint(
                    "watchStatus", .get, "/v1/status/watch", .home, "Send the status twice a second, without end",
                    takes: [], fixed: [(watch, "")], answer: .lines(of: NodeStatus.self)),
                Endpoint(
                    "metrics", .get, "/metrics", .anyToken, "Counts and states for Prometheus", takes: [],
                    answer: .metrics(from: NodeStatus.self)),
            ]
        ) { call in
            guard !call.has(watch) else {
                _ = try call.network
                // Until the caller disconnects.
                return SteppedOperation { reply, now in
                    reply.data(try Self.status(call, only: nil))
                    return .waiting(until: now + Limits.watchPause)
                }
            }
            return atOnce { reply, _ in reply.data(try Self.status(call, only: call.onlyAccount)) }
        }
    }()

    private static func status(_ call: Call, only account: String?) throws -> NodeStatus {
        var status = try NodeReporter(call.node).status(only: account)
        guard !call.request.has(NodeService.withoutGroups) else { return status }
        status.groups = call.node.accounts.filter { account == nil || $0.accountID.hex == account }
            .flatMap { Group.standings(of: $0, call.node) }
        return status
    }

    static let explain: Command = {
        let subject = Parameter.text("WHAT", .text("TXID|CONVERSATION"), "a txid or a conversation's id")
        return Command(
            "explain", "Explain where a message or a conversation is, how it arrived, and what is still missing",
            examples: ["TXID", "alice --json"], takes: [subject, account],
            at: Endpoint(
                "explain", .get, "/v1/explain", .scope(.chatRead),
                answer: .object(Explanation.self, shows: ExplanationText.show))
        ) { call in
            let reporter = ZoneReporter(try call.account, of: call.node)
            let subject = try call.need(subject)
            if let txid = TxID(hex: subject) { return ExplainMessageOperation(txid, reporter) }
            return ExplainConversationOperation(subject, reporter)
        }
    }()

    static let doctor = Command(
        "doctor", "Check everything a node needs, with advice where something is wrong",
        examples: ["", "--json", "--discovery lo"],
        takes: [
            Parameter.text("--discovery", .discovery, "the interfaces to try if no node runs (default: those of `run`)")
        ], on: .node,
        at: Endpoint(
            "doctor", .get, "/v1/doctor", .home, "Check the node, its stores and its devices", takes: [],
            answer: .list(of: Check.self))
    ) { call in DoctorOperation(node: call.node) }

    static let diagnostics = Command(
        "diagnostics", "Show data for a bug report: no names, no addresses, no messages, no secrets",
        examples: ["", "--json > report.json"], on: .node,
        at: Endpoint(
            "diagnostics", .get, "/v1/diagnostics", .scope(.admin),
            answer: .object(Diagnostics.self, shows: DiagnosticsText.show)),
        begin: reading { call in try Diagnosis(call.node).report() })

    static let peers = Command(
        "peers", "List the devices known to the running node", takes: [account], on: .node, needsRunningNode: true,
        at: Endpoint("peers", .get, "/v1/peers", .anyToken, answer: .list(of: Peer.self, as: StatusText.peers)),
        begin: listing { call in
            let network = try call.network
            return call.has(account) ? network.peers(of: try call.account) : network.peers
        })
}
