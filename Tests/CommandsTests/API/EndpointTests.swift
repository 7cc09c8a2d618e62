import Testing

@testable import Commands
@testable import Node

@Suite struct EndpointTests {
    private func told(_ id: String, _ message: String) throws -> ControlReply.Ending {
        let endpoint = try #require(APITable.endpoints.first { $0.id == id })
        return endpoint.inItsWords(ControlReply.Ending(status: .usage, code: .usage, message: message))
    }

    @Test(arguments: [
        (
            "postScore", "score post needs either --score N or --failed",
            "score post needs either `score` N or `failed`", "score"
        ),
        (
            "forgetDevice", "ID must be at least 8 digits; see `kachat-node device list`",
            "`deviceId` must be at least 8 digits; see `kachat-node device list`", "deviceId"
        ),
        ("postScore", "there is no game `--game` here", "there is no game `--game` here", nil),
        ("status", "--watch is not for this", "--watch is not for this", nil),
    ])
    func aCommandSpeaksOfTheRequest(_ id: String, _ message: String, _ said: String, _ parameter: String?) throws {
        let ending = try told(id, message)
        #expect(ending.message == said)
        #expect(ending.parameter == parameter)
    }

    @Test func aFieldOfAMessageIsNamed() throws {
        let endpoint = try #require(APITable.endpoints.first { $0.id == "addMessage" })
        let ending = endpoint.inItsWords(
            ControlReply.Ending(
                status: .failed, code: .badInput, message: "the message `direction` must be `sent` or `received`"))
        let problem = Problem(ending)
        #expect(problem.parameter == "direction" && problem.allowed == "`sent` or `received`")
    }

    @Test func whatIsAllowedIsTold() throws {
        let problem = Problem(try told("forgetDevice", "ID must be at least 8 digits"))
        #expect(problem.parameter == "deviceId" && problem.allowed == "at least 8 digits")
        #expect(Problem(try told("status", "it must be so")).allowed == nil)
    }
}
