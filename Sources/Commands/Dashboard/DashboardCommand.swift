import Node
import NodeCore
import NodeModel

extension Command {
    static let dashboard: Command = {
        let page = Parameter.flag("--page", "with a file that takes a browser there").onlyRequested
        return Command(
            "dashboard", "Open the dashboard in a browser, by a link that works once",
            examples: ["kachat-node dashboard", "kachat-node dashboard --no-open"],
            takes: [Parameter.flag("--no-open", "show the link alone"), page], on: .node, needsRunningNode: true,
            at: [
                Endpoint(
                    "linkToDashboard", .post, "/v1/dashboard/link", .home,
                    "A link that lets a browser in once, within a minute", takes: [page],
                    answer: .object(DashboardLink.self))
            ]
        ) { call throws(NodeError) in
            guard let address = try call.network.apiAddress else {
                throw NodeError(
                    .notReachable, "the local API is off\(advice: ": run the node without `--api off`")")
            }
            return ImmediateOperation { reply, now in
                var random = SystemRandom()
                let path = call.has(page) ? call.node.home.loginPagePath(Hex.encode(random.bytes(4))) : nil
                let code = call.service.loginCodes.make(now: now, random: &random, page: path)
                var link = DashboardLink()
                link.url = "http://\(address)/dashboard/login?code=\(code)"
                link.seconds = Int(Limits.loginCodeTime.components.seconds)
                // Without the page the link is still shown.
                if let path, (try? Files.replace(path, with: Array(LoginPage.opening(link.url).utf8))) != nil {
                    link.page = path
                }
                reply.data(link)
            }
        }
    }()
}
