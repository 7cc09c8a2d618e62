package import Commands
package import Node

/// A command that this program carries out itself, without asking a node.
package struct LocalCommand: Sendable {
    package let spec: CommandSpec
    package let run: @Sendable (_ context: ToolContext) throws(NodeError) -> ExitStatus

    package init(spec: CommandSpec, run: @escaping @Sendable (_ context: ToolContext) throws(NodeError) -> ExitStatus) {
        self.spec = spec
        self.run = run
    }
}

extension LocalCommand {
    /// Commands that create a home.
    static let making: [LocalCommand] = [
        LocalCommand(spec: InitCommand.spec) { context throws(NodeError) in try InitCommand.run(context) },
        LocalCommand(spec: SetupCommand.spec, run: SetupCommand.run),
        LocalCommand(spec: RestoreCommand.spec, run: RestoreCommand.run),
    ]

    /// Commands that need a home or an invitation, but no node.
    static let others: [LocalCommand] = [
        LocalCommand(spec: AccountPhraseCommand.spec, run: AccountPhraseCommand.run),
        LocalCommand(spec: Command.groupInspect.spec, run: TokenCommand.run),
        LocalCommand(spec: TokenCommand.split, run: TokenCommand.run),
        LocalCommand(spec: ConfigCheckCommand.spec, run: ConfigCheckCommand.run),
    ]

    /// Commands of the program itself.
    static let program: [LocalCommand] = [
        LocalCommand(spec: RunCommand.spec, run: RunCommand.run),
        LocalCommand(spec: CompletionsCommand.spec, run: CompletionsCommand.run),
        LocalCommand(spec: VersionCommand.spec, run: VersionCommand.run),
        LocalCommand(spec: HelpCommand.spec, run: HelpCommand.run),
    ]
}
