import Gossip
import Node
import NodeCore
import NodeModel

/// `account pair` and `pairing …`: handing an account to another device in the room (docs/SCRIPTING.md, "Two devices in
/// one room"). This gives the account away for good, so only the home's owner may do it, and no app's token.
extension Command {
    static let pairing: [Command] = [
        accountPair, pairingShow, pairingChoose, pairingConfirm, pairingRefuse, pairingStop,
    ]

    package static let accountPair: Command = {
        let join = Parameter.flag("--join", "receive the account; a home without an identity gets one")
        let label = Parameter.text("--label", .text("L"), "with --join: the account's label on this device")
        let name = Parameter.text(
            "--name", .text("N"), "with --join, in a new home: this device's name on your other devices")
        let lines = "sends a line at each change until it is over"
        return Command(
            "account pair", "Hand an account to another device in the room: both show six digits to compare",
            examples: [
                "                          on the device that has the account",
                "--join                    on the one that gets it", "--join --name phone --json",
            ],
            takes: [account, join, label, name, PairingOperation.timeout] + PairingNetwork.options,
            on: .accountUnless(join),
            at: [
                Endpoint(
                    "pair", .post, "/v1/pairing", .owner,
                    "Hand an account to another device in the room; \(lines)",
                    takes: [PairingOperation.timeout], answer: .lines(of: PairingStatus.self)),
                Endpoint(
                    "pairAndJoin", .post, "/v1/pairing/join", .owner,
                    "Receive an account from another device in the room; \(lines)",
                    takes: [label.requested(help: "the account's label on this device"), PairingOperation.timeout],
                    fixed: [(join, "")], answer: .lines(of: PairingStatus.self)),
            ]
        ) { call in
            PairingOperation(
                call, goal: call.has(join) ? .takeAccount(label: call[label]) : .giveAccount(try call.account))
        }
    }()

    static let pairingShow = Command(
        "pairing show", "Show the current pairing", examples: ["--json"], on: .node, needsRunningNode: true,
        at: Endpoint("pairing", .get, "/v1/pairing", .owner, answer: pairingStatus),
        begin: changingPairing { _, _, _ in })

    static let pairingChoose: Command = {
        let tag = Parameter.text("TAG", .text("TAG"), "the device's `tag` in `peers`")
            .requested(.pattern("^[0-9a-f]{4}$"))
        return Command(
            "pairing choose", "Choose one of several devices by its tag",
            examples: ["3f2a"], takes: [tag], on: .node, needsRunningNode: true,
            at: Endpoint("choosePairing", .post, "/v1/pairing/choose", .owner, answer: pairingStatus),
            begin: changingPairing { try $1.choose(try $0.need(tag), now: $2) })
    }()

    static let pairingConfirm: Command = {
        let digits = Parameter.text("DIGITS", .text("DIGITS"), "six digits").requested(.pattern("^[0-9]{6}$"))
        return Command(
            "pairing confirm", "Confirm the digits that the other device shows; a mismatch ends this attempt",
            examples: ["042317"], takes: [digits], on: .node, needsRunningNode: true,
            at: Endpoint("confirmPairing", .post, "/v1/pairing/confirm", .owner, answer: pairingStatus),
            begin: changingPairing { call, pairing, now in
                guard let digits = PairingDigits(text: try call.need(digits)) else {
                    throw NodeError.wrong(digits, "must be the six digits that the other device shows")
                }
                try pairing.confirm(digits, now: now)
            })
    }()

    static let pairingRefuse = Command(
        "pairing refuse", "Refuse: the digits differ, or this is the wrong device", on: .node, needsRunningNode: true,
        at: Endpoint("refusePairing", .post, "/v1/pairing/refuse", .owner, answer: pairingStatus),
        begin: changingPairing { try $1.refuse(now: $2) })

    static let pairingStop = Command(
        "pairing stop", "End the pairing on both devices", on: .node,
        needsRunningNode: true,
        at: Endpoint("stopPairing", .delete, "/v1/pairing", .owner, answer: pairingStatus),
        begin: changingPairing { _, pairing, _ in pairing.stop() })

    private static let pairingStatus = Answer.object(PairingStatus.self)

    /// Changes the current pairing and answers with its new state.
    private static func changingPairing(
        _ change: @escaping @Sendable (Call, inout Pairing, _ now: MonotonicTime) throws -> Void
    ) -> Begin {
        { call in
            atOnce { reply, now in
                let machine = try call.network.machine
                do {
                    try machine.changePairing { try change(call, &$0, now) }
                } catch let complaint as Pairing.Complaint {
                    throw NodeError(complaint)
                }
                reply.data(PairingStatus(machine.pairing, now: now))
            }
        }
    }
}

extension NodeError {
    fileprivate init(_ complaint: Pairing.Complaint) {
        switch complaint {
        case .noSuchDevice:
            self.init(.notFound, "no device with that tag is in sight\(advice: "; see `kachat-node pairing show`")")
        case .nothingToCompare: self.init(.failed, "there are no digits to compare now")
        case .digitsDiffer: self.init(.notAllowed, "this device shows other digits: this attempt is over")
        }
    }
}

/// Options for a node that runs only while it pairs.
package enum PairingNetwork {
    package static let timeout = PairingOperation.timeout.spec
    package static let options = [
        ParameterSpec("--listen", .hostPort, help: "if no node runs: the address for other devices, as for `run`"),
        ParameterSpec("--discovery", .text("auto|lo|off|IFACE,…"), help: "where to look for devices, as for `run`"),
        ParameterSpec("--peer", .peer, repeatable: true, help: "a device that beacons do not reach, as for `run`"),
    ]
}
