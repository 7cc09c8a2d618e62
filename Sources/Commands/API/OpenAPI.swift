import Node
import NodeModel

/// The OpenAPI 3.1 document of a table of endpoints.
struct OpenAPI {
    let endpoints: [Endpoint]
    /// The subject of each tag's operations.
    private let tags: [(name: String, about: String)]
    private let tagOfCommand: [String: String]

    /// - Parameter families: each is a tag.
    init(endpoints: [Endpoint], families: [CommandFamily]) {
        self.endpoints = endpoints
        let named = families.filter { family in
            family.commands.contains { $0.endpoints.contains { !$0.isOfHome } }
        }
        tags = named.map { ($0.name, $0.about) }
        tagOfCommand = Dictionary(
            named.flatMap { family in family.commands.map { ($0.name, family.name) } }, uniquingKeysWith: { $1 })
    }

    package var encoded: [UInt8] { json.encoded }

    package var json: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        var schemas = Schemas()
        for endpoint in endpoints where !endpoint.isOfHome {
            paths[endpoint.template, default: [:]][endpoint.method.rawValue.lowercased()] =
                operation(endpoint, &schemas)
        }
        let problem = schemas.reference(to: ProblemDocument.self)
        let named = withNotes(schemas.named)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "kachat-node", "version": .string(Version.current),
                "description": .string(
                    "The local API of a node: the chats of one person, the same on all of that person's devices."),
            ],
            // The node that sent the document: its port is the user's choice.
            "servers": [["url": "/", "description": "This node, as `kachat-node status` shows it."]],
            "tags": .array(tags.map { tag in ["name": .string(tag.name), "description": .string(tag.about + ".")] }),
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(named),
                "responses": .object(Refusal.responses(content(Problem.mediaType, problem))),
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "created by `kachat-node token create`",
                    ]
                ],
            ],
        ]
    }

    /// The schemas with the field that any change may add to its answer. It stands in the named schema, since few
    /// generators make one type of several schemas.
    private func withNotes(_ schemas: [String: JSONValue]) -> [String: JSONValue] {
        var schemas = schemas
        for endpoint in endpoints where endpoint.isWrite && !endpoint.isOfHome {
            let name = endpoint.answer.model.name
            guard case .object = endpoint.answer.form, case .object(var schema)? = schemas[name],
                case .object(var fields)? = schema["properties"], fields["notes"] == nil
            else { continue }
            fields["notes"] = OpenAPI.notes
            schema["properties"] = .object(fields)
            schemas[name] = .object(schema)
        }
        return schemas
    }

    private static let notes: JSONValue = [
        "type": "array", "items": ["type": "string"],
        "description": "sentences about what was done, in the answer of a request that changes something",
    ]

    private func operation(_ endpoint: Endpoint, _ schemas: inout Schemas) -> JSONValue {
        var responses: [String: JSONValue] = ["200": answer(endpoint, &schemas)]
        for refusal in Refusal.all where refusal.concerns(endpoint) {
            responses[refusal.key] = ["$ref": .string("#/components/responses/\(refusal.name)")]
        }
        let tag: String = if case .command(let name) = endpoint.action { tagOfCommand[name] ?? "node" } else { "node" }
        var fields: [String: JSONValue] = [
            "operationId": .string(endpoint.id), "summary": .string(endpoint.summary), "tags": [.string(tag)],
            "responses": .object(responses),
        ]
        fields["security"] = [["token": []]]
        switch endpoint.access {
        case .open: fields["security"] = []
        case .anyToken: break
        case .owner, .home:
            fields["description"] = "Works in the dashboard and on the home's socket only, with no other token."
        case .feed:
            fields["description"] =
                "Needs the scope `chat:read`; with `groups:read` alone, changes of chats are left out."
        case .scope(let scope): fields["description"] = "Needs the scope `\(scope.rawValue)`."
        case .either(let one, let other):
            fields["description"] = "Needs the scope `\(one.rawValue)` or `\(other.rawValue)`."
        }
        let parameters = endpoint.parameters.filter { $0.place != .body }.map(parameter) + headers(endpoint)
        if !parameters.isEmpty { fields["parameters"] = .array(parameters) }
        if let body = body(endpoint, &schemas) { fields["requestBody"] = body }
        return .object(fields)
    }

    private func parameter(_ parameter: APIParameter) -> JSONValue {
        [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .bool(parameter.isRequired), "schema": parameter.schemaWithDefault,
            "description": .string(parameter.help),
        ]
    }

    private func headers(_ endpoint: Endpoint) -> [JSONValue] {
        let header: (String, String) -> JSONValue = { name, help in
            [
                "name": .string(name), "in": "header", "required": false,
                "schema": ["type": "string"], "description": .string(help),
            ]
        }
        if case .events = endpoint.answer.form {
            return [header(Endpoint.lastEventHeader, "the id of the last event seen; the stream continues after it")]
        }
        guard endpoint.takesIdempotencyKey else { return [] }
        return [header("Idempotency-Key", "a repeated request with the same key gets the first one's answer")]
    }

    private func body(_ endpoint: Endpoint, _ schemas: inout Schemas) -> JSONValue? {
        let type = endpoint.bodyType ?? ""
        switch endpoint.body {
        case .none: return nil
        case .fields, .someFields:
            let parameters = endpoint.parameters(in: .body)
            let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
            var schema: [String: JSONValue] = [
                "type": "object", "additionalProperties": false,
                "properties": .object(Dictionary(parameters.map { ($0.name, $0.described) }) { $1 }),
            ]
            if !required.isEmpty { schema["required"] = .array(required) }
            var isNeeded = !required.isEmpty
            if case .someFields = endpoint.body {
                schema["minProperties"] = 1
                isNeeded = true
            }
            return ["required": .bool(isNeeded), "content": content(type, .object(schema))]
        case .message:
            let model: DescribedModel = endpoint.method == .put ? .of(NamedMessage.self) : .of(NewMessage.self)
            return ["required": true, "content": content(type, model.schema(&schemas))]
        case .array(let model, let most):
            let schema: JSONValue = ["type": "array", "items": model.schema(&schemas), "maxItems": .number(most)]
            return ["required": true, "content": content(type, schema)]
        case .text(let what):
            return ["required": true, "content": content(type, ["type": "string"]), "description": .string(what)]
        case .lines(let model):
            // The body may be empty.
            return [
                "required": false, "content": content(type, each: model.schema(&schemas)),
                "description": "One JSON object a line, each a \(model.name).",
            ]
        }
    }

    private func answer(_ endpoint: Endpoint, _ schemas: inout Schemas) -> JSONValue {
        let model = endpoint.answer.model.schema(&schemas)
        let text: JSONValue = ["type": "string"]
        return switch endpoint.answer.form {
        case .object: described(endpoint, Endpoint.jsonType, model)
        case .list(let paging): described(endpoint, Endpoint.jsonType, OpenAPI.list(model, paging))
        case .lines:
            [
                "description": .string("One \(endpoint.answer.model.name) a line."),
                "content": content(
                    Endpoint.linesType, each: ["anyOf": [model, schemas.reference(to: FailedLine.self)]]),
            ]
        case .events:
            [
                "description": .string(
                    "\(endpoint.summary). The data of an event is a \(endpoint.answer.model.name); of `reset` and "
                        + "`end` it is a Problem."),
                "content": content(
                    Endpoint.eventsType,
                    each: OpenAPI.event(["anyOf": [model, schemas.reference(to: ProblemDocument.self)]])),
            ]
        case .metrics: described(endpoint, Endpoint.metricsType, text)
        }
    }

    private static func list(_ item: JSONValue, _ paging: Answer.Paging) -> JSONValue {
        var properties: [String: JSONValue] = [
            "items": ["type": "array", "items": item],
            "notes": notes,
        ]
        switch paging {
        case .counted, .keyed: properties["cursor"] = ["type": "string"]
        case .feed: properties["next"] = ["type": ["string", "null"]]
        }
        return ["type": "object", "properties": .object(properties), "required": ["items"]]
    }

    /// A server-sent event.
    private static func event(_ data: JSONValue) -> JSONValue {
        let text: JSONValue = ["type": "string"]
        return [
            "type": "object", "required": ["data"],
            "properties": [
                "id": text, "event": text,
                "data": ["type": "string", "contentMediaType": .string(Endpoint.jsonType), "contentSchema": data],
            ],
        ]
    }

    private func described(_ endpoint: Endpoint, _ type: String, _ schema: JSONValue) -> JSONValue {
        ["description": .string(endpoint.summary), "content": content(type, schema)]
    }

    /// A stream of lines or events. OpenAPI 3.1 has no schema for a part of one; 3.2 calls it `itemSchema`.
    private func content(_ type: String, each item: JSONValue) -> JSONValue {
        [type: ["schema": ["type": "string"], "x-itemSchema": item]]
    }

    private func content(_ type: String, _ schema: JSONValue) -> JSONValue { [type: ["schema": schema]] }
}

extension APIParameter {
    /// Its help, and what its schema says beside.
    fileprivate var described: JSONValue {
        let words = [help, schema["description"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        return schema(adding: "description", words.isEmpty ? nil : .string(words))
    }
    fileprivate var schemaWithDefault: JSONValue {
        schema(adding: "default", standard.flatMap { Int64($0) }.map { .int($0) })
    }

    private func schema(adding name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var fields) = schema, let value else { return schema }
        fields[name] = value
        return .object(fields)
    }
}
