import Chat
import NodeModel
import Testing

@testable import Commands
@testable import Node

@Suite struct EndpointTests {
    private func told(_ id: String, _ message: Sentence) throws -> Problem {
        let endpoint = try #require(APITable.endpoints.first { $0.id == id })
        return endpoint.problem(NodeError(.usage, message))
    }

    @Test func aCommandSpeaksOfTheRequest() throws {
        let problem = try told(
            "confirmMessage",
            "\(parameter: "--score") needs \(parameter: "--txid")\(advice: "; see `kachat-node help`")")
        #expect(problem.detail == "`acceptingDaaScore` needs `txid`")
        #expect(problem.parameter == "acceptingDaaScore")
        #expect(try told("status", "--watch is not for this").parameter == nil)
    }

    @Test func aFieldOfAMessageIsNamed() throws {
        let error = FieldError("direction", "must be `sent` or `received`")
        let problem = try told("addMessage", "the message: \(sentence: Sentence(error))")
        #expect(problem.detail == "the message: `direction` must be `sent` or `received`")
        #expect(problem.parameter == "direction" && problem.allowed == "`sent` or `received`")
    }

    @Test func aReasonKeepsItsOwnParameters() throws {
        let error = NodeError.wrong(MessageSearching.to, "is a day before \(parameter: "--from")")
        #expect(error.message == "--to is a day before --from")
    }

    @Test func whatIsAllowedIsTold() throws {
        let problem = try told("deleteMessage", "\(parameter: "TXID") must be at least 8 digits")
        #expect(problem.parameter == "txid" && problem.allowed == "at least 8 digits")
        #expect(try told("status", "it must be so").allowed == nil)
        // The wrong value is no allowed one.
        let wrong = try told("scores", "\(parameter: "--from") must be a day such as 2025-01-31, not `x`")
        #expect(wrong.parameter == "from" && wrong.allowed == "a day such as 2025-01-31")
    }

    @Test func aParameterIsAtFaultThatNoSentenceNames() throws {
        let unknown = NodeError(cause: ChatError.unknownConversation)
        for (id, name) in [("conversation", "conversation"), ("messages", "conversation"), ("status", nil)] {
            let endpoint = try #require(APITable.endpoints.first { $0.id == id })
            #expect(endpoint.problem(unknown).parameter == name)
        }
        let long = NodeError(cause: ConversationDetailsError.titleTooLong)
        let endpoint = try #require(APITable.endpoints.first { $0.id == "setConversation" })
        #expect(endpoint.problem(long).parameter == "title")
        // The one that it names goes before.
        let named = NodeError(.usage, "\(parameter: "--title") is bad").blaming("CONVERSATION")
        #expect(endpoint.problem(named).parameter == "title")
        #expect(endpoint.problem(NodeError(.failed, "not now").blaming("CONVERSATION")).parameter == nil)
        #expect(NodeError(.notFound, "there is none").blaming("CONVERSATION").message == "there is none")
    }
}
