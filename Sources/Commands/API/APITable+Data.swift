import Node
import NodeModel

/// Data that comes in or goes out as a whole.
extension APITable {
    package static let data: [Endpoint] = [
        Endpoint(
            "import", .post, "/v1/import", .scope(.chatWrite), .command("import"),
            "Take in messages, one a line; what is here already is not added twice",
            parameters: [
                APIParameter(.query, "device", "--device"),
                APIParameter(.query, "placeholderText", "--placeholder-text"),
            ], body: .lines(.of(NewMessage.self)), answer: .object("Imported")),
        Endpoint(
            "export", .get, "/v1/export", .scope(.chatRead), .command("export"), "All messages, one a line",
            answer: .lines(of: NewMessage.self)),
    ]

    static let dataShapes: [Shape] = [
        Shape(
            "Imported",
            """
            lines int,added int,known int,completed int,placeholders int,refused int,skipped int,states int,\
            notes? [text]
            """),
    ]
}
