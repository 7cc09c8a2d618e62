/// Every command that can be asked of a node, a file a family, in the order of the help.
extension Command {
    package static let all: [Command] =
        accounts + pairing + data + messages + conversations + devices + groups + scores + leaderboards + achievements
        + syncing + standing + settings + tokens + [dashboard]
}
