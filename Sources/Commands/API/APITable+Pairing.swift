/// Handing an account to another device in the room (docs/COMMANDS.md, "Two devices in one room"). It gives the account
/// away for good, so it is for who owns the home, and for no app's token.
extension APITable {
    package static let pairing: [Endpoint] = [
        Endpoint(
            "pairing", .get, "/v1/pairing", .owner, .command("pairing show"), "Where the pairing stands",
            answer: .object("Pairing")),
        Endpoint(
            "pair", .post, "/v1/pairing", .owner, .command("account pair"),
            "Hand the account to a device in the room; a line each time that something changes, until it is over",
            parameters: [APIParameter(.body, "timeout", "--timeout")], body: .fields, answer: .lines("Pairing")),
        Endpoint(
            "stopPairing", .delete, "/v1/pairing", .owner, .command("pairing stop"),
            "End the pairing, on both devices", answer: .object("Pairing")),
        Endpoint(
            "choosePairing", .post, "/v1/pairing/choose", .owner, .command("pairing choose"),
            "Say which of several devices is meant",
            parameters: [
                APIParameter(
                    .body, "tag", "TAG", .pattern("^[0-9a-f]{4}$"), required: true, help: "as `peers` tells it")
            ], body: .fields, answer: .object("Pairing")),
        Endpoint(
            "confirmPairing", .post, "/v1/pairing/confirm", .owner, .command("pairing confirm"),
            "Say which digits the other device shows; others than this one's end the try",
            parameters: [
                APIParameter(.body, "digits", "DIGITS", .pattern("^[0-9]{6}$"), required: true, help: "six digits")
            ], body: .fields, answer: .object("Pairing")),
        Endpoint(
            "refusePairing", .post, "/v1/pairing/refuse", .owner, .command("pairing refuse"),
            "Say that the digits differ, or that the device is not wanted", body: .fields, answer: .object("Pairing")),
    ]

    static let pairingShapes: [Shape] = [
        Shape(
            "Pairing",
            """
            state text,triesLeft? int,secondsLeft? int,peers? [PairingPeer],peer? text?,tag? text,digits? text,\
            lastTry? text,reason? text?,accountId? text
            """),
        Shape("PairingPeer", "name text,tag text"),
    ]
}
