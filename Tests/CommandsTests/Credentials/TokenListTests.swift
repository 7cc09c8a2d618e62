import NodeCore
import Testing

@testable import Commands
@testable import Node

@Suite struct TokenListTests {
    private let now = WallTime(milliseconds: 1_000_000)

    private func token(_ id: String, _ text: String, expiresAt: WallTime? = nil) -> APIToken {
        APIToken(
            id: id, name: "app \(id)", hash: APIToken.hash(of: text), scopes: [.chatRead], account: nil, createdAt: now,
            expiresAt: expiresAt)
    }

    @Test func aTokenIsFoundByItsTextOnly() throws {
        var random = SeededRandom(seed: 1)
        let text = APIToken.text(random: &random)
        #expect(text.hasPrefix(APIToken.prefix))
        #expect(text.utf8.count == 50)
        #expect(
            text.utf8.dropFirst(7).allSatisfy {
                Character(UnicodeScalar($0)).isLetter || "-_0123456789".utf8.contains($0)
            })
        var list = TokenList()
        try list.add(token("aa", "other"))
        try list.add(token("bb", text))
        #expect(list.find(text, wall: now)?.id == "bb")
        for wrong in ["", String(text.dropLast()), text + "x", text.lowercased() + "-", "bb"] {
            #expect(list.find(wrong, wall: now) == nil)
        }
        #expect(!String(decoding: list.encoded, as: UTF8.self).contains(text))
    }

    @Test func itEndsWithItsTimeAndWhenItIsRevoked() throws {
        var list = TokenList()
        try list.add(token("aa11", "one", expiresAt: now + .seconds(10)))
        try list.add(token("aa22", "two"))
        #expect(list.find("one", wall: now + .seconds(9)) != nil)
        #expect(list.find("one", wall: now + .seconds(10)) == nil)
        #expect(!list.holds("aa11", wall: now + .seconds(10)))
        #expect(throws: NodeError.self) { try list.remove("aa") }
        #expect(throws: NodeError.self) { try list.remove("bb") }
        #expect(try list.remove("AA22").id == "aa22")
        #expect(list.find("two", wall: now) == nil)
    }

    @Test func aTokenIsRevokedByItsNameToo() throws {
        var list = TokenList()
        for id in ["aa11", "aa22"] { try list.add(token(id, id)) }
        #expect(try list.remove("app aa22").id == "aa22")
        #expect(list.tokens.map(\.id) == ["aa11"])
    }

    @Test func theFileComesBackAsItWasWritten() throws {
        var list = TokenList()
        try list.add(token("aa", "one", expiresAt: now))
        try list.add(
            APIToken(
                id: "bb", name: nil, hash: APIToken.hash(of: "x"), scopes: [.chatWrite, .admin],
                account: AccountID(bytes: [UInt8](repeating: 7, count: 32)), createdAt: now, expiresAt: nil))
        #expect(TokenList(json: list.encoded) == list)
        for damaged in ["", "{}", "{\"version\":2,\"tokens\":[]}", "{\"version\":1,\"tokens\":[{}]}"] {
            #expect(TokenList(json: Array(damaged.utf8)) == nil)
        }
        for count in list.encoded.indices { _ = TokenList(json: Array(list.encoded[..<count])) }
    }

    @Test func thereIsABound() throws {
        var list = TokenList()
        for number in 0..<Limits.apiTokens { try list.add(token("\(number)", "\(number)")) }
        #expect(throws: NodeError.self) { try list.add(token("x", "x")) }
        #expect(list.encoded.count < Limits.tokenFileBytes)
    }
}
