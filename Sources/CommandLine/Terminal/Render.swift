import Commands
import Node
import NodeModel

/// Terminal output that an answer's own text does not cover. None of it runs with `--json`.
enum Render {
    /// Progress of a backup in one terminal line that is overwritten.
    static func copyProgress(_ value: JSONValue, _ output: Output) {
        guard let pages = value["pages"]?.integer, let all = value["of"]?.integer, all > 0 else { return }
        output.raw("\r\(pages * 100 / all) % copied")
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }

    /// `12.3 MB`
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return "\(bytes) bytes" }
        let units = ["kB", "MB", "GB", "TB"]
        var tenths = bytes / 100
        var unit = 0
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1_000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}

extension Render {
    /// One line per check with the advice below it, then a summary.
    static func doctor(_ checks: [Check], _ output: Output) {
        let width = checks.map(\.name.count).max() ?? 0
        for check in checks {
            output.line(
                Output.padded(check.state.rawValue, 7) + "  " + Output.padded(check.name, width) + "  "
                    + Terminal.harmless(check.text))
            if check.state != .ok, let advice = check.advice {
                output.line(Output.padded("", 11 + width) + "→ " + Terminal.harmless(advice))
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
}

extension Render {
    /// Progress in one terminal line that is overwritten.
    static func progress(_ value: JSONValue, _ output: Output) {
        if let progress = try? RestoreProgress(json: value) {
            // A full line would wrap, and the part above would not be overwritten.
            output.raw("\r\(progress.bar(columns: output.columns - 1))\u{1B}[K")
        } else if let lines = value["lines"]?.integer {
            output.raw("\r\(Wording.count(Int(lines), "line")) read")
        }
        if value["isLast"]?.boolean == true { output.raw("\r\u{1B}[K") }
    }
}

extension Render {
    /// Keeps showing the status: on a terminal in place, otherwise one line for each account that changed.
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
        }
    }
}

/// Groups and invitations: their text depends on the terminal.
extension Render {
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
            context.errors.line(
                "\(Terminal.harmless(made.title)): \(people(made.people)) may join as \(made.role.rawValue), "
                    + "\(GroupText.until(made.expiresAt)).")
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
        context.output.line("\n" + matrix.blocks(isColoured: isColoured))
    }
}
