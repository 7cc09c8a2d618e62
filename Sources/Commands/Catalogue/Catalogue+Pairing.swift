import Gossip
import Node

/// `account pair` and `pairing …`
extension Catalogue {
    package static let pairing: [CommandSpec] = [
        CommandSpec(
            "setup", summary: "Set this device up: three questions, or flags where there is no terminal",
            examples: [
                "kachat-node setup",
                "kachat-node setup --account new --name laptop --start-at-login yes",
                "kachat-node setup --account pair --name phone",
                "kachat-node setup --account phrase --phrase-file phrase.txt --name phone",
            ],
            options: [
                OptionSpec(
                    "--account", .choice("new|pair|phrase", ["new", "pair", "phrase"]),
                    help: "a new one, that of another device in the room, or that of a recovery phrase"),
                OptionSpec("--name", .text("N"), help: "what your other devices show for this one"),
                OptionSpec(
                    "--start-at-login", .choice("yes|no", ["yes", "no"]),
                    help: "enable the systemd user unit (default without a terminal: no)"),
                OptionSpec("--phrase-file", .text("F"), help: "with --account phrase; - is standard input"),
                pairingTime,
            ] + pairingNetwork),
        CommandSpec(
            "account pair", summary: "Hand an account to another device in the room: both show six digits to compare",
            examples: [
                "kachat-node account pair                           on the device that has the account",
                "kachat-node account pair --join                    on the one that gets it",
                "kachat-node account pair --join --name phone --json",
            ],
            options: [
                .account,
                OptionSpec("--join", help: "get the account; a home without an identity gets one"),
                OptionSpec("--label", .text("L"), help: "with --join: what you call the account on this device"),
                OptionSpec(
                    "--name", .text("N"),
                    help: "with --join, in a new home: what your other devices show for this one"),
                pairingTime,
            ] + pairingNetwork),
        CommandSpec(
            "pairing show", summary: "Show where the pairing stands that goes on in this home's node",
            examples: ["kachat-node pairing show --json"]),
        CommandSpec(
            "pairing choose", summary: "Say which of several devices is meant, by its tag",
            examples: ["kachat-node pairing choose 3f2a"], places: [PlaceSpec("TAG", .text("TAG"))]),
        CommandSpec(
            "pairing confirm", summary: "Say which digits the other device shows; others than the own end that try",
            examples: ["kachat-node pairing confirm 042317"], places: [PlaceSpec("DIGITS", .text("DIGITS"))]),
        CommandSpec(
            "pairing refuse", summary: "Say that the digits differ, or that this device is not wanted",
            examples: ["kachat-node pairing refuse"]),
        CommandSpec(
            "pairing stop", summary: "End the pairing, on both devices", examples: ["kachat-node pairing stop"]),
    ]

    private static let pairingNetwork = [
        OptionSpec("--listen", .hostPort, help: "while it pairs, where no node runs: as of `run`"),
        OptionSpec("--discovery", .text("auto|lo|off|IFACE,…"), help: "the same"),
        OptionSpec("--peer", .peer, repeatable: true, help: "the same"),
    ]

    static let pairingTime = OptionSpec(
        "--timeout", .seconds(upTo: UInt64(Gossip.Limits.pairingTime.components.seconds)),
        help: "how long this device can be seen (default and most: 120)")
}
