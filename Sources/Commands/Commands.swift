/// All commands of a node in the order of the help, one file for each family.
extension Command {
    package static let all: [Command] =
        accounts + pairing + data + messages + conversations + devices + groups + scores + leaderboards + achievements
        + syncing + standing + settings + tokens + [dashboard]
}
