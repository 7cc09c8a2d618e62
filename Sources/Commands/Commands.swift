/// Every command that can be asked of a node, a file a family.
extension Command {
    package static let all: [Command] =
        messages + scores + leaderboards + achievements + groups + pairing + tokens + settings + [dashboard]
}
