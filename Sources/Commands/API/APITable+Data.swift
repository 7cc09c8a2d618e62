import Node

/// Data that comes in or goes out as a whole.
extension APITable {
    package static let data: [Endpoint] = [
        Endpoint(
            "import", .post, "/v1/import", .scope(.chatWrite), .command("import"),
            "Take in messages, one a line; what is here already is not added twice",
            parameters: [
                APIParameter(.query, "device", "--device"),
                APIParameter(.query, "placeholderText", "--placeholder-text"),
            ], body: .lines("Message"), answer: .object("Imported")),
        Endpoint(
            "export", .get, "/v1/export", .scope(.chatRead), .command("export"), "All messages, one a line",
            answer: .lines("Message")),
        Endpoint(
            "importReads", .post, "/v1/reads/import", .scope(.chatWrite), .command("read import"),
            "Take over an old app's read state, one conversation a line", body: .lines("ReadLine"),
            answer: .object("ImportedReads")),
        Endpoint(
            "confirmMessages", .post, "/v1/chain/confirm", .scope(.chatWrite), .command("message confirm"),
            "Tell of many messages that they are in a block, or accepted", body: .lines("ChainLine"),
            answer: .object("ImportedEvents")),
        Endpoint(
            "reorgMessages", .post, "/v1/chain/reorg", .scope(.chatWrite), .command("message reorg"),
            "Tell of many messages that they lost their place in the chain", body: .lines("ChainLine"),
            answer: .object("ImportedEvents")),
    ]

    static let dataShapes: [Shape] = [
        Shape(
            "Imported",
            """
            lines int,added int,known int,completed int,placeholders int,refused int,skipped int,states int,\
            notes? [text]
            """),
        Shape("ReadLine", "conversationId name,lastReadTxId? txid?,lastReadBlockTime milliseconds"),
        Shape("ImportedReads", "lines int,advanced int,refused int"),
        Shape("ChainLine", "txid txid,blockTime? milliseconds?,acceptingDaaScore? score?,status? any"),
        Shape("ImportedEvents", "lines int,changed int,waiting int,known int,deleted int,refused int"),
    ]
}
