import Testing

@testable import Commands
@testable import Node

@Suite struct CommandExchangeTests {
    /// An `Idempotency-Key` belongs to the first request: the end of a second one does not free it.
    @Test(arguments: [true, false]) func aRequestThatIsNotCarriedOutEndsNobodysKey(isAgain: Bool) throws {
        let endpoint = try #require(APITable.endpoints.first { $0.id == "flush" })
        let plan = CommandExchange.Plan(
            endpoint: endpoint, command: "flush", caller: .owner, arguments: [:], txid: nil, ifNoneMatch: nil)
        let exchange = CommandExchange(plan) { request in
            CommandSession(request) { _ throws(NodeError) in throw NodeError(.failed, "nothing is carried out") }
        }
        var endings = 0
        exchange.didEnd = { _ in endings += 1 }
        exchange.admit = { _ in
            isAgain ? .again(HTTPAnswer(type: "x", bytes: [])) : .refused(Problem(409, "in-progress", ""))
        }
        exchange.endBody()
        #expect(exchange.answer?.status == (isAgain ? 200 : 409))
        exchange.close()
        #expect(endings == 0)
    }

    /// A request cut off within its body has asked for nothing yet; the first with its key may still be running.
    @Test func aRequestThatIsCutOffEndsNobodysKey() throws {
        let endpoint = try #require(APITable.endpoints.first { $0.id == "postScoreEverywhere" })
        let plan = CommandExchange.Plan(
            endpoint: endpoint, command: "score post", caller: .owner, arguments: [:], txid: nil, ifNoneMatch: nil)
        let exchange = CommandExchange(plan) { request in
            CommandSession(request) { _ throws(NodeError) in throw NodeError(.failed, "nothing is carried out") }
        }
        var endings = 0
        exchange.didEnd = { _ in endings += 1 }
        _ = Array("{\"game\":".utf8).withUnsafeBytes { exchange.receive($0) }
        exchange.close()
        #expect(endings == 0)
    }
}
