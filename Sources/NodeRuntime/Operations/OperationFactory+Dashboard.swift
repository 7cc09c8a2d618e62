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
            let code = node.loginCodes.make(now: now, random: &random)
            reply.data(
                .object([
                    "url": .string("http://\(address)/dashboard/login?code=\(code)"),
                    "seconds": .int(Limits.loginCodeTime.components.seconds),
                ]))
        }
    }
}
