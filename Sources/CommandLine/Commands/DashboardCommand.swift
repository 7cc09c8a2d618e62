import Commands
import Glibc
import Node
import NodeModel

/// `dashboard`: gets a link from the running node, shows it, and opens it if there is a desktop.
enum DashboardCommand {
    static func run(_ context: ToolContext) throws(NodeError) -> ExitStatus {
        let command = context.command
        let opens = !command.isJSON && !command.has("--no-open") && context.output.isTerminal && hasDesktop(context)
        return try NodeCommand.exchange(
            Invocation(command: "dashboard", arguments: opens ? ["--page": []] : [:]), input: nil,
            try context.home(), context
        ) { client in
            guard !command.isJSON else { return }
            client.render = { value, output in
                guard let link = try? DashboardLink(json: value) else { return }
                output.line(link.url)
                // Every user can read a program's arguments, so the browser gets a private file instead of the link.
                let isOpen = link.page.map(open) ?? false
                context.errors.line(
                    (isOpen
                        ? "Opening it in your browser. If no page appears, open the link above."
                        : "Open it in a browser on this machine.") + " It works once, within \(link.seconds) seconds.")
            }
        }
    }

    private static func hasDesktop(_ context: ToolContext) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { context.environment[name: $0] != nil }
    }

    /// False if no program can open pages.
    private static func open(_ page: String) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Discard the browser's messages.
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(page), nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        // The browser may be its child and outlive this command.
        return posix_spawnp(&pid, "xdg-open", &actions, nil, &arguments, environ) == 0
    }
}
