import Commands
import Node
import NodeModel

/// Terminal output that an answer's own text does not cover. None of it runs with `--json`.
enum Render {
    /// One line per check with the advice below it, then a summary.
    static func doctor(_ checks: [Check], _ output: Output) {
        let width = checks.map(\.name.count).max() ?? 0
        let columns = output.isTerminal ? max(16, output.columns - width - 11) : .max
        let tones: [Check.State: Tone] = [.ok: .good, .warning: .warning, .failure: .bad]
        for check in checks {
            var lines = Terminal.wrapped(Terminal.harmless(check.text), columns: columns)
            if check.state != .ok, let advice = check.advice {
                let parts = Terminal.wrapped(Terminal.harmless(advice), columns: columns - 2)
                lines += parts.enumerated().map { ($0 == 0 ? "→ " : "  ") + $1 }
            }
            let state = check.state.rawValue
            let blanks = String(repeating: " ", count: max(0, 7 - state.count))
            let head = output.painted(state, tones[check.state] ?? .plain) + blanks
            for (number, line) in lines.enumerated() {
                let name = Output.padded(number == 0 ? check.name : "", width)
                output.line((number == 0 ? head : Output.padded("", 7)) + "  " + name + "  " + line)
            }
        }
        let failures = checks.count { $0.state == .failure }
        let warnings = checks.count { $0.state == .warning }
        output.line("")
        output.line(
            failures == 0
                ? warnings == 0 ? "All is well." : "It works; \(Wording.count(warnings, "warning"))."
                : "\(Wording.count(failures, "failure")), \(Wording.count(warnings, "warning")).")
    }

    /// Keeps showing the status: on a terminal in place, otherwise one line for each account or group that changed.
    static func watch() -> (JSONValue, Output) -> Void {
        var shown: [String: String] = [:]
        return { value, output in
            guard let status = try? NodeStatus(json: value) else { return }
            guard !output.isTerminal else {
                // Cursor home, clear the screen.
                output.raw("\u{1B}[H\u{1B}[2J")
                return StatusText.status(status, output)
            }
            for account in status.accounts {
                let line = StatusText.watchLine(account)
                if shown.updateValue(line, forKey: account.accountId) != line { output.line(line) }
            }
            for group in status.groups ?? [] {
                let line = StatusText.watchLine(group)
                if shown.updateValue(line, forKey: group.accountId + group.groupId) != line { output.line(line) }
            }
        }
    }

    // MARK: Groups and invitations: their text depends on the terminal

    static func founded(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            guard let group = try? FoundedGroup(json: value) else { return }
            // `group create` does not ask for the owner's display name.
            let (id, title) = (group.groupId.prefix(8), Terminal.harmless(group.title))
            output.line("\(title) is created, and you are its owner. Set your name and invite the others:")
            output.line("  \(context.program) group set-name \(id) NAME")
            output.line("  \(context.program) group invite \(id)")
        }
    }

    /// A new invitation, with its QR code on a terminal.
    static func invitation(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            guard let made = try? MadeInvite(json: value) else { return }
            show(made.token, context)
            guard !context.command.isQuiet else { return }
            context.errors.line(
                "\(Terminal.harmless(made.title)): \(people(made.people)) may join as \(made.role.rawValue), "
                    + "\(GroupText.until(made.expiresAt)).")
        }
    }

    /// A new token, alone on standard output: scripts take it from there.
    static func token(_ context: ToolContext) -> (JSONValue, Output) -> Void {
        { value, output in
            guard let made = try? MadeToken(json: value) else { return }
            output.line(made.token)
            guard !context.command.isQuiet else { return }
            context.errors.line("It is shown only once. `\(context.program) token revoke \(made.made.id)` revokes it.")
        }
    }

    /// The contents of an invitation.
    static func invitation(_ invite: InspectedInvite, _ context: ToolContext) {
        let output = context.output
        output.line("title   \(Terminal.harmless(invite.title))")
        output.line("group   \(invite.groupId)")
        output.line("people  \(invite.people)")
        output.line("invite  \(invite.inviteId)")
    }

    /// Two invitations made of one: the part that was cut off, and the rest.
    static func split(_ split: SplitInvite, _ context: ToolContext) {
        show(split.token, context)
        context.errors.line("That one is for \(people(split.people)); the rest:")
        context.output.line(split.rest)
        context.errors.line("for \(people(split.restPeople)). The original has both parts.")
    }

    private static func people(_ count: Int) -> String { count == 1 ? "one person" : "\(count) people" }

    private static func show(_ token: String, _ context: ToolContext) {
        context.output.line(token)
        let isColoured = context.environment[name: "NO_COLOR"] == nil
        guard context.output.isTerminal, let matrix = context.qr(token.uppercased()) else { return }
        guard matrix.columns <= context.output.columns else {
            let file = context.command.name == "group invite" ? "; `--qr FILE.svg` writes it to a file" : ""
            return context.errors.line("Its QR code needs a terminal of \(matrix.columns) columns\(file).")
        }
        context.output.line("\n" + matrix.blocks(isColoured: isColoured))
    }
}
