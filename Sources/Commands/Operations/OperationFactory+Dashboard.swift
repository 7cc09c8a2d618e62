import Node
import NodeCore

/// `dashboard`
extension OperationFactory {
    func dashboardOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        guard request.command == "dashboard" else { return nil }
        guard let address = try running().apiAddress else {
            throw NodeError(.notReachable, "the local API is off: run the node without `--api off`")
        }
        return ImmediateOperation { [node] reply, now in
            var random = SystemRandom()
            let page = request.has("--page") ? node.home.loginPagePath(Hex.encode(random.bytes(4))) : nil
            let code = service.loginCodes.make(now: now, random: &random, page: page)
            let url = "http://\(address)/dashboard/login?code=\(code)"
            var fields: [String: JSONValue] = [
                "url": .string(url), "seconds": .int(Limits.loginCodeTime.components.seconds),
            ]
            // Without the page the link is still shown.
            if let page, (try? Files.replace(page, with: Array(LoginPage.opening(url).utf8))) != nil {
                fields["page"] = .string(page)
            }
            reply.data(.object(fields))
        }
    }
}
