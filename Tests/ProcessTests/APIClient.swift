import NodeDriver
import ProcessHarness
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An answer of the local API.
struct APIAnswer {
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
    /// The code of a problem.
    var code: String? {
        struct Problem: Decodable { var code: String }
        return try? json(Problem.self).code
    }
}

/// One page of a list.
struct APIPage<Item: Decodable>: Decodable {
    var items: [Item]
    var cursor: String?
}

/// Speaks HTTP with a node, byte by byte where a test needs malformed requests.
struct APIClient {
    let port: UInt16
    var token: String?

    init(_ node: DrivenNode, token: String? = nil) throws {
        port = try #require(node.apiPort, "the node serves its API")
        self.token = token
    }

    /// Makes a client with a token of these scopes.
    init(_ node: DrivenNode, scopes: String, account: String? = nil) throws {
        struct Token: Decodable { var token: String }
        let made = try node.object(
            Token.self, ["token", "create", "--scope", scopes] + (account.map { ["--account", $0] } ?? []))
        try self.init(node, token: made.token)
    }

    /// Makes a client with a token of these scopes that can be revoked by its id.
    static func revocable(_ node: DrivenNode, scopes: String) throws -> (client: APIClient, id: String) {
        struct Made: Decodable {
            var id: String
            var token: String
        }
        let made = try node.object(Made.self, ["token", "create", "--scope", scopes])
        return (try APIClient(node, token: made.token), made.id)
    }

    func head(
        _ method: String, _ target: String, headers: [String: String] = [:], bodyBytes: Int? = nil
    ) -> String {
        var all = ["Host": "127.0.0.1:\(port)"]
        if let token { all["Authorization"] = "Bearer \(token)" }
        if let bodyBytes {
            all["Content-Length"] = "\(bodyBytes)"
            all["Content-Type"] = "application/json"
        }
        for (name, value) in headers { all[name] = value.isEmpty ? nil : value }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "\(method) \(target) HTTP/1.1\r\n" + lines.joined() + "\r\n"
    }

    /// Sends one request on its own connection.
    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil,
        within duration: Duration = Deadline.patience
    ) throws -> APIAnswer {
        var headers = headers
        headers["Connection"] = "close"
        let bytes = body.map { Array($0.utf8) }
        let probe = try TCPProbe(port: port)
        probe.send(Array(head(method, target, headers: headers, bodyBytes: bytes?.count).utf8) + (bytes ?? []))
        return try Self.answer(probe.receive(upTo: 64 << 20, within: duration))
    }

    func get(_ target: String, headers: [String: String] = [:]) throws -> APIAnswer {
        try send("GET", target, headers: headers)
    }

    /// The pages of a list, at most `most`.
    func pages<Item: Decodable>(_ target: String, of type: Item.Type, most: Int = 9) throws -> [[Item]] {
        var (pages, cursor): ([[Item]], String?) = ([], nil)
        repeat {
            let page = try get(target + (cursor.map { "&cursor=\($0)" } ?? "")).json(APIPage<Item>.self)
            pages.append(page.items)
            cursor = page.cursor
        } while cursor != nil && pages.count < most
        return pages
    }

    /// Imports lines of messages; returns how many of them are new.
    func add(_ lines: [String]) throws -> Int {
        struct Counts: Decodable { var added: Int }
        let answer = try send(
            "POST", "/v1/import", headers: ["Content-Type": "application/x-ndjson"],
            body: lines.joined(separator: "\n") + "\n")
        return try answer.json(Counts.self).added
    }

    static func answer(_ bytes: [UInt8]) throws -> APIAnswer {
        let end = try #require(headEnd(bytes), "no head in \(String(decoding: bytes.prefix(200), as: UTF8.self))")
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = Array(bytes[(end + 4)...])
        let isChunked = headers["transfer-encoding"] == "chunked"
        return APIAnswer(status: status, headers: headers, body: isChunked ? dechunked(body) : body)
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    /// The content of chunks, as far as they arrived (RFC 9112 §7.1).
    static func dechunked(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let line = rest.firstIndex(of: 0x0D),
            let count = Int(String(decoding: rest[..<line], as: UTF8.self), radix: 16), count > 0
        {
            rest = rest[min(line + 2, rest.endIndex)...]
            body += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return body
    }
}
