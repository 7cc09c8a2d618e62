import Commands
import Node

/// What `setup` has to know: from flags, or from the user at the terminal.
struct SetupAnswers {
    enum Account: String, CaseIterable {
        case new
        /// Another device is in the room.
        case pair
        /// Its words are at hand.
        case phrase
    }

    var account: Account
    var name: String
    var startsAtLogin: Bool

    /// Without a terminal: by flags alone.
    init(flags command: ParsedCommand) throws(NodeError) {
        guard let account = command.text("--account").flatMap(Account.init) else {
            throw NodeError(
                .usage, "`setup` asks its questions on a terminal; without one give --account new, pair or phrase")
        }
        self.account = account
        name = try NewHome.checked(name: command.text("--name") ?? HostName.current)
        startsAtLogin = command.text("--start-at-login") == "yes"
    }

    /// What no flag says is asked for.
    init(_ command: ParsedCommand, dialogue: SetupDialogue, canStartAtLogin: Bool) throws(NodeError) {
        dialogue.say(
            "kachat-node keeps the chats of one person the same on all of that person's devices.", "")
        if let given = command.text("--account").flatMap(Account.init) {
            account = given
        } else {
            account = try dialogue.choose(
                "1. Is there an account already?",
                [
                    (.new, "no: make a new one"),
                    (.pair, "yes, and the other device is here in the room: both show six digits to compare"),
                    (.phrase, "yes, and I have its recovery phrase, 12 or 24 words"),
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
                "3. Should it run from now on, and start when you log in?",
                [(true, "yes"), (false, "no: I start it by `kachat-node run`")])
        case nil:
            startsAtLogin = false
            dialogue.say("3. Start at login: not here: systemd runs nothing for this user, or the unit is missing.")
        }
        dialogue.say("")
    }
}
