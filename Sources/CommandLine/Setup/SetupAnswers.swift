import Commands
import Node

/// The answers that `setup` needs: from flags, or from the user at the terminal.
struct SetupAnswers {
    enum Account: String, CaseIterable {
        case new
        /// From another device in the room.
        case pair
        /// From its recovery phrase.
        case phrase
    }

    var account: Account
    var name: String
    var startsAtLogin: Bool

    /// Without a terminal: from flags alone.
    init(flags command: ParsedCommand) throws(NodeError) {
        guard let account = command.text("--account").flatMap(Account.init) else {
            throw NodeError(
                .usage, "`setup` needs a terminal for its questions; without one, give --account new, pair or phrase")
        }
        self.account = account
        name = try NewHome.checked(name: command.text("--name") ?? HostName.current)
        startsAtLogin = command.text("--start-at-login") == "yes"
    }

    /// Asks for everything that no flag answers.
    init(_ command: ParsedCommand, dialogue: SetupDialogue, canStartAtLogin: Bool) throws(NodeError) {
        dialogue.say("kachat-node keeps the chats of one person the same on all of that person's devices.", "")
        if let given = command.text("--account").flatMap(Account.init) {
            account = given
        } else {
            account = try dialogue.choose(
                "1. Do you already have an account?",
                [
                    (.new, "no: create one"),
                    (.pair, "yes, on another device in this room: both show six digits to compare"),
                    (.phrase, "yes, and I have its recovery phrase (12 or 24 words)"),
                ])
        }
        if let given = command.text("--name") {
            name = given
        } else {
            name = try dialogue.name("2. What is this device called?", usual: HostName.current)
        }
        name = try NewHome.checked(name: name)
        switch command.text("--start-at-login") {
        case let given?: startsAtLogin = given == "yes"
        case nil where canStartAtLogin:
            startsAtLogin = try dialogue.choose(
                "3. Start the node now, and whenever you log in?",
                [(true, "yes"), (false, "no: I will start it with `kachat-node run`")])
        case nil:
            startsAtLogin = false
            dialogue.say("3. Start at login is not available: this user has no systemd, or the unit is not installed.")
        }
        dialogue.say("")
    }
}
