import Node

/// Every command that the program itself carries out, a file a family. The executable adds the companions.
package enum Catalogue {
    package static let commands: [CommandSpec] =
        Command.all.map(\.spec) + accounts + setup + data + conversations + devices + groups
        + sync + settings + service
}

extension OptionSpec {
    /// Taken by every command that works on an account.
    package static let account = Command.account.spec
}

extension CommandSpec {
    /// Whether the command takes `--account`.
    package var takesAccount: Bool { options.contains { $0.name == OptionSpec.account.name } }

    /// Whether it works on the store of one account, the default one where none is named. Of the others `account label`
    /// needs no store, and the rest mean all accounts then.
    var worksOnAccount: Bool { takesAccount && !["account label", "peers", "sync"].contains(name) }
}
