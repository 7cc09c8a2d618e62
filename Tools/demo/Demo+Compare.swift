import NodeDriver

extension Demo {
    /// The table of all nodes, and the verdict.
    func compare() throws -> Bool {
        for node in nodes { try node.run(["sync", "--wait", "--timeout", "150"]) }
        let accounts = try nodes.map { node in
            guard let account = try node.status().account else { throw DriverError("\(node.name) has no account") }
            return account
        }
        display.say("")
        display.say(row("node", "messages", "conversations", "unread", "zone digest"))
        for (node, account) in zip(nodes, accounts) {
            display.say(
                row(
                    node.name, Text.count(account.messages), Text.count(account.conversations),
                    Text.count(account.unread), account.zoneDigest))
        }
        let file = row(
            "the file", Text.count(chat.messages), Text.count(chat.conversations), Text.count(chat.unread), "")
        display.say(file)
        display.say("")
        let agree = Set(accounts.map(\.zoneDigest)).count == 1
        let isWhole = accounts.allSatisfy {
            $0.messages == chat.messages && $0.conversations == chat.conversations && $0.unread == chat.unread
        }
        switch (agree, isWhole) {
        case (true, true): display.say("All \(nodes.count) agree, and hold what the file has.")
        case (false, _): display.say("They do NOT agree.")
        case (_, false): display.say("They agree, but NOT with the file.")
        }
        return agree && isWhole
    }

    private func row(_ name: String, _ messages: String, _ conversations: String, _ unread: String, _ digest: String)
        -> String
    {
        [
            Text.left(name, 9), Text.right(messages, 10), Text.right(conversations, 14), Text.right(unread, 9),
            "  " + digest,
        ].joined()
    }
}
