import Chat
import LeaderboardShare
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

    /// Bodies are read as they are, and compressed bytes are not JSON.
    @Test func aCompressedBodyIsRefusedAsOne() throws {
        for (id, type) in [("sync", Endpoint.jsonType), ("import", Endpoint.linesType)] {
            let endpoint = try #require(APITable.endpoints.first { $0.template == "/v1/\(id)" })
            func complaint(_ coding: String?) -> Problem? {
                var headers = [(name: "content-type", value: type), (name: "content-length", value: "2")]
                if let coding { headers.append((name: "content-encoding", value: coding)) }
                return endpoint.complaint(
                    HTTPRequest(source: .home, method: "POST", target: "/v1/\(id)", headers: headers))
            }
            #expect(complaint(nil) == nil && complaint("identity") == nil && complaint("Identity") == nil)
            for coding in ["gzip", "GZIP", "br", "identity, gzip"] {
                let problem = complaint(coding)
                #expect(problem?.status == 415 && problem?.code == "media-type", "\(coding)")
                #expect(problem?.parameter == "Content-Encoding" && problem?.allowed == "identity")
                #expect(problem?.detail.contains("compressed") == true)
                #expect(problem?.headers.contains { $0.name == "Accept-Encoding" } == true)
            }
        }
    }

    @Test func aReasonKeepsItsOwnParameters() throws {
        let error = NodeError.wrong(MessageSearching.to, "is a day before \(parameter: "--from")")
        #expect(error.message == "--to is a day before --from")
    }

    @Test func whatIsAllowedIsTold() throws {
        let problem = try told("deleteMessage", "\(parameter: "TXID") must be at least 8 digits")
        #expect(problem.parameter == "txid" && problem.allowed == "at least 8 digits")
        #expect(try told("status", "it must be so").allowed == nil)
        // The wrong value is not listed as allowed.
        let wrong = try told("scores", "\(parameter: "--from") must be a day such as 2025-01-31, not `x`")
        #expect(wrong.parameter == "from" && wrong.allowed == "a day such as 2025-01-31")
    }

    @Test func aParameterIsAtFaultThatNoSentenceNames() throws {
        let unknown = NodeError(cause: ChatError.unknownConversation)
        for (id, name) in [("conversation", "conversation"), ("messages", "conversation"), ("status", nil)] {
            let endpoint = try #require(APITable.endpoints.first { $0.id == id })
            #expect(endpoint.problem(unknown).parameter == name)
        }
        let token = NodeError(cause: TokenError.notAToken)
        for id in ["joinGroup", "inspectInvite"] {
            let endpoint = try #require(APITable.endpoints.first { $0.id == id })
            #expect(endpoint.problem(token).parameter == "token", "\(id)")
        }
        let long = NodeError(cause: ConversationDetailsError.titleTooLong)
        let endpoint = try #require(APITable.endpoints.first { $0.id == "setConversation" })
        #expect(endpoint.problem(long).parameter == "title")
        // The parameter named in the message takes precedence.
        let named = NodeError(.usage, "\(parameter: "--title") is bad").blaming("CONVERSATION")
        #expect(endpoint.problem(named).parameter == "title")
        #expect(endpoint.problem(NodeError(.failed, "not now").blaming("CONVERSATION")).parameter == nil)
        #expect(NodeError(.notFound, "there is none").blaming("CONVERSATION").message == "there is none")
    }
}
