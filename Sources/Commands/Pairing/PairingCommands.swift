import Gossip
import Node
import NodeCore
import NodeModel

/// `account pair` and `pairing …`: handing an account to another device in the room (docs/SCRIPTING.md, "Two devices in
/// one room"). It gives the account away for good, so it is for who owns the home, and for no app's token.
extension Command {
    static let pairing: [Command] = [
        accountPair, pairingShow, pairingChoose, pairingConfirm, pairingRefuse, pairingStop,
    ]

    package static let accountPair: Command = {
        let join = Parameter.flag("--join", "get the account; a home without an identity gets one")
        let label = Parameter.text(
            "--label", .text("L"), "with --join: what you call the account on this device")
        let name = Parameter.text(
            "--name", .text("N"), "with --join, in a new home: what your other devices show for this one")
        let lines = "a line each time that something changes, until it is over"
        return Command(
            "account pair", "Hand an account to another device in the room: both show six digits to compare",
            examples: [
                "kachat-node account pair                           on the device that has the account",
                "kachat-node account pair --join                    on the one that gets it",
                "kachat-node account pair --join --name phone --json",
            ],
            takes: [account, join, label, name, PairingOperation.timeout] + PairingNetwork.options,
            on: .accountUnless(join),
            at: [
                Endpoint(
                    "pair", .post, "/v1/pairing", .owner,
                    "Hand the account to a device in the room; \(lines)",
                    takes: [PairingOperation.timeout], answer: .lines(of: PairingStatus.self)),
                Endpoint(
                    "pairAndJoin", .post, "/v1/pairing/join", .home,
                    "Get the account of a device in the room; \(lines)",
                    takes: [
                        label.requested(help: "what the account is called on this device"), PairingOperation.timeout,
                    ],
                    fixed: [(join, "")], answer: .lines(of: PairingStatus.self)),
            ]
        ) { call throws(NodeError) in
            PairingOperation(
                call, goal: call.has(join) ? .takeAccount(label: call[label]) : .giveAccount(try call.account))
        }
    }()

    static let pairingShow = Command(
        "pairing show", "Show where the pairing stands that goes on in this home's node",
        examples: ["kachat-node pairing show --json"], on: .node, needsRunningNode: true,
        at: [
            Endpoint("pairing", .get, "/v1/pairing", .owner, "Where the pairing stands", answer: pairingStatus)
        ]
    ) { call throws(NodeError) in try changingPairing(call) { _, _ in } }

    static let pairingChoose: Command = {
        let tag = Parameter.text("TAG", .text("TAG"))
        return Command(
            "pairing choose", "Say which of several devices is meant, by its tag",
            examples: ["kachat-node pairing choose 3f2a"], takes: [tag], on: .node, needsRunningNode: true,
            at: [
                Endpoint(
                    "choosePairing", .post, "/v1/pairing/choose", .owner, "Say which of several devices is meant",
                    takes: [tag.requested(.pattern("^[0-9a-f]{4}$"), help: "as `peers` tells it")],
                    answer: pairingStatus)
            ]
        ) { call throws(NodeError) in
            let tag = try call.need(tag)
            return try changingPairing(call) { try $0.choose(tag, now: $1) }
        }
    }()

    static let pairingConfirm: Command = {
        let digits = Parameter.text("DIGITS", .text("DIGITS"))
        return Command(
            "pairing confirm", "Say which digits the other device shows; others than the own end that try",
            examples: ["kachat-node pairing confirm 042317"], takes: [digits], on: .node, needsRunningNode: true,
            at: [
                Endpoint(
                    "confirmPairing", .post, "/v1/pairing/confirm", .owner,
                    "Say which digits the other device shows; others than this one's end the try",
                    takes: [digits.requested(.pattern("^[0-9]{6}$"), help: "six digits")], answer: pairingStatus)
            ]
        ) { call throws(NodeError) in
            guard let digits = PairingDigits(text: try call.need(digits)) else {
                throw .wrong(digits, "must be the six digits that the other device shows")
            }
            return try changingPairing(call) { try $0.confirm(digits, now: $1) }
        }
    }()

    static let pairingRefuse = Command(
        "pairing refuse", "Say that the digits differ, or that this device is not wanted",
        examples: ["kachat-node pairing refuse"], on: .node, needsRunningNode: true,
        at: [
            Endpoint(
                "refusePairing", .post, "/v1/pairing/refuse", .owner,
                "Say that the digits differ, or that the device is not wanted", answer: pairingStatus)
        ]
    ) { call throws(NodeError) in try changingPairing(call) { try $0.refuse(now: $1) } }

    static let pairingStop = Command(
        "pairing stop", "End the pairing, on both devices", examples: ["kachat-node pairing stop"], on: .node,
        needsRunningNode: true,
        at: [
            Endpoint(
                "stopPairing", .delete, "/v1/pairing", .owner, "End the pairing, on both devices", answer: pairingStatus
            )
        ]
    ) { call throws(NodeError) in try changingPairing(call) { pairing, _ in pairing.stop() } }

    private static let pairingStatus = Answer.object(PairingStatus.self)

    /// Does one thing to the pairing that goes on, and answers with where it stands then.
    private static func changingPairing(
        _ call: Call, _ change: @escaping (inout Pairing, MonotonicTime) throws -> Void
    ) throws(NodeError) -> any Operation {
        let network = try call.network
        return ImmediateOperation { reply, now in
            do {
                try network.machine.changePairing { try change(&$0, now) }
            } catch let complaint as Pairing.Complaint {
                throw NodeError(complaint)
            }
            reply.data(PairingStatus(network.machine.pairing, now: now))
        }
    }
}

extension NodeError {
    fileprivate init(_ complaint: Pairing.Complaint) {
        switch complaint {
        case .noSuchDevice:
            self.init(
                .notFound, "no device with that tag is in sight\(advice: "; see `kachat-node pairing show`")")
        case .nothingToCompare: self.init(.failed, "there are no digits to compare now")
        case .digitsDiffer:
            self.init(.notAllowed, "these are not the digits that this device shows: this try is over")
        }
    }
}

/// How a node is reached that runs only as long as it pairs.
package enum PairingNetwork {
    package static let timeout = PairingOperation.timeout.spec
    package static let options = [
        ParameterSpec("--listen", .hostPort, help: "while it pairs, where no node runs: as of `run`"),
        ParameterSpec("--discovery", .text("auto|lo|off|IFACE,…"), help: "where to look for devices, as of `run`"),
        ParameterSpec("--peer", .peer, repeatable: true, help: "a device that beacons do not reach, as of `run`"),
    ]
}
