import Node
import NodeCore
import NodeModel

extension Command {
    static let dashboard: Command = {
        let page = Parameter.flag("--page", "also make a file that redirects a browser to the link").onlyRequested
        return Command(
            "dashboard", "Open the dashboard in a browser, with a link that works once", examples: ["", "--no-open"],
            takes: [Parameter.flag("--no-open", "only show the link"), page], on: .node, needsRunningNode: true,
            at: Endpoint(
                "linkToDashboard", .post, "/v1/dashboard/link", .home,
                "Create a link that signs a browser in once, within a minute", takes: [page],
                answer: .object(DashboardLink.self))
        ) { call in
            guard let address = try call.network.apiAddress else {
                throw NodeError(.notReachable, "the local API is off\(advice: ": run the node without `--api off`")")
            }
            return atOnce { reply, now in
                var random = SystemRandom()
                let path = call.has(page) ? call.node.home.loginPagePath(Hex.encode(random.bytes(4))) : nil
                let code = call.service.loginCodes.make(now: now, random: &random, page: path)
                var link = DashboardLink {
                    $0.url = "http://\(address)/dashboard/login?code=\(code)"
                    $0.seconds = Int(Limits.loginCodeTime.components.seconds)
                }
                // The link works without the page, too.
                if let path, (try? Files.replace(path, with: Array(LoginPage.opening(link.url).utf8))) != nil {
                    link.page = path
                }
                reply.data(link)
            }
        }
    }()
}
