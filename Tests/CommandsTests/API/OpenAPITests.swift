import Testing

@testable import Commands
@testable import Node

@Suite struct OpenAPITests {
    /// Every name that the document refers to is in it, and each operation says what it gives.
    @Test func theDocumentIsWhole() throws {
        let document = try #require(JSONValue(json: APITable.document))
        #expect(document["openapi"]?.text == "3.1.0")
        var used: [String] = []
        collect(document, &used)
        guard case .object(let schemas)? = document["components"]?["schemas"] else {
            Issue.record("no schemas")
            return
        }
        for name in used {
            #expect(schemas[String(name.split(separator: "/").last ?? "")] != nil, "\(name) is missing")
        }
        guard case .object(let paths)? = document["paths"] else { return }
        let operations = paths.values.reduce(0) { count, path in
            if case .object(let methods) = path { count + methods.count } else { count }
        }
        #expect(operations == APITable.endpoints.count { !$0.isOfHome })
    }

    private func collect(_ value: JSONValue, _ references: inout [String]) {
        switch value {
        case .object(let fields):
            if let name = fields["$ref"]?.text, name.hasPrefix("#") { references.append(name) }
            for field in fields.values { collect(field, &references) }
        case .array(let elements): for element in elements { collect(element, &references) }
        default: break
        }
    }
}
