import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `account …`, `pause` and `resume`
extension Command {
    static let accounts: [Command] = [
        accountList, accountShow, accountCreate, accountImport, accountLabel, accountDefault, accountRemove,
        accountPause, accountResume, accountRotate, accountConfirm, accountEnter, accountRenew, pause, resume,
    ]

    /// The account as the object of a command.
    private static let accountPlace = account.placed("ACCOUNT")

    static let accountList = Command(
        "account list", "List the accounts of this node, the default first", examples: ["", "--json"], on: .node,
        at: Endpoint(
            "accounts", .get, "/v1/accounts", .anyToken,
            answer: .list(of: Account.self, as: AccountText.list)),
        begin: listing { call in
            try NodeReporter(call.node).accountList().filter {
                call.onlyAccount == nil || $0.accountId == call.onlyAccount
            }
        })

    static let accountShow = Command(
        "account show", "Show an account: IDs, versions and creation date",
        examples: ["", "work --json"], takes: [accountPlace],
        at: Endpoint(
            "account", .get, "/v1/account", .anyToken,
            answer: .object(AccountDetails.self, shows: AccountText.details)),
        begin: reading { call in NodeReporter(call.node).describe(try call.account) })

    // MARK: Adding and removing

    private static let newLabel = Parameter.text(
        "--label", .line("L", bytes: Node.Limits.labelBytes),
        "its label on this device (default: main, then account 2 and so on)")

    static let accountCreate = Command(
        "account create", "Create an account on this node and show its recovery phrase",
        examples: ["--label work"], takes: [newLabel], on: .node,
        at: Endpoint(
            "createAccount", .post, "/v1/accounts", .home,
            answer: .object(NewAccount.self, shows: AccountText.created)),
        begin: reading { call in
            let account = try call.node.add(try .new(), label: call[newLabel])
            let phrase = try call.node.phrase(of: account)?.joined(separator: " ") ?? ""
            return NewAccount {
                ($0.accountId, $0.deviceId) = (account.accountID.hex, account.zone.lane.hex)
                ($0.label, $0.phrase) = (account.label, phrase)
            }
        })

    static let accountImport: Command = {
        let taken: [any AnyParameter] = [newLabel]
        let answer = Answer.object(AccountDetails.self, shows: AccountText.details)
        return Command(
            "account import", "Add an account from its recovery phrase or wallet key",
            examples: ["--phrase-file phrase.txt --label work", "--wallet-key key.hex"],
            takes: taken + [SignerInput.phraseFile, SignerInput.walletKey], on: .node,
            at: SignerInput.endpoints("import", "/v1/accounts", "Add an account from", takes: taken, answer: answer)
        ) { call in
            SignerOperation(call, changesData: false) { input in
                let account = try call.node.add(AccountAddition(by: try input.signer()), label: call[newLabel])
                return NodeReporter(call.node).describe(account)
            }
        }
    }()

    // MARK: The recovery phrase

    static let accountConfirm: Command = {
        let words = Parameter.text(
            "--words", .text("WORDS"), "at least two of the words with their numbers, such as `3 abandon 17 zoo`"
        ).onlyRequested.required
        let file = Parameter.text(
            "--words-file", .text("F"),
            "instead of asking: a file with all words, or with some and their numbers; - is standard input")
        return Command(
            "account confirm", "Confirm that the recovery phrase is written down: asks for two words, then wipes it",
            examples: [
                "", "--words-file written-down.txt",
                "echo 3 abandon 17 zoo | kachat-node account confirm --words-file -",
            ],
            takes: [words, file, accountPlace], on: .node,
            at: [
                Endpoint(
                    "confirmPhrase", .post, "/v1/account/phrase/confirmation", .owner, takes: [words],
                    answer: .done(ConfirmedPhrase.self) { confirmed in
                        "The recovery phrase of \(Terminal.harmless(confirmed.label)) is wiped: no device has it now. "
                            + "Keep what you wrote down."
                    })
            ],
            begin: reading { call in
                let index = try place(account, call)
                let typed = try call.need(words)
                try call.named(words) { () throws(NodeError) in
                    try call.node.confirm(try TypedWords(typed), at: index)
                }
                let confirmed = call.node.identity.accounts[index]
                return ConfirmedPhrase { ($0.accountId, $0.label) = (confirmed.accountID.hex, confirmed.label) }
            })
    }()

    static let accountEnter: Command = {
        let answer = Answer.done(EnteredAccount.self) { entered in
            let label = Terminal.harmless(entered.label)
            return entered.entered
                ? "This device belongs to \(label) again." : "This device belongs to \(label) already: nothing to do."
        }
        return Command(
            "account enter", "Let this device into its account again, with the recovery phrase or wallet key",
            examples: ["", "--phrase-file phrase.txt"],
            takes: [accountPlace, SignerInput.phraseFile, SignerInput.walletKey],
            at: SignerInput.endpoints(
                "enterAccount", "/v1/account/entrance", "Let this device into its account again by", answer: answer)
        ) { call in
            let account = try call.account
            return try SignerOperation.signing(call) { signer in
                let entered = try call.node.enter(account, by: signer)
                return EnteredAccount {
                    ($0.accountId, $0.deviceId) = (account.accountID.hex, account.zone.lane.hex)
                    ($0.label, $0.entered) = (account.label, entered)
                }
            }
        }
    }()

    /// For a person who has lost the words: without them nobody can be shut out.
    static let accountRenew = Command(
        "account renew",
        "Replace an account whose phrase is lost: a new account and phrase, with everything that is here",
        examples: ["", "work --json"], takes: [accountPlace],
        at: Endpoint(
            "renewAccount", .post, "/v1/account/renewal", .home,
            answer: .object(RenewedAccount.self, shows: AccountText.renewed))
    ) { call in try AccountRenewOperation(call.node, call.account) }

    /// For commands that accept an account whose store is not open.
    private static let named = Parameter.text("ACCOUNT", .text("ACCOUNT"), "its id, the beginning of it, or its label")
        .named("accountId")

    static let accountLabel: Command = {
        let label = Parameter.text("LABEL", .line("LABEL", bytes: Node.Limits.labelBytes))
        return Command(
            "account label", "Set an account's label on this device", examples: ["private", "main private"],
            takes: [accountPlace, label], on: .node,
            at: Endpoint(
                "labelAccount", .patch, "/v1/account", .owner,
                answer: .done(AccountName.self) { "The account is now called \(Terminal.harmless($0.label ?? ""))." }),
            begin: renaming(account) { try $0.node.setLabel(try $0.need(label), at: $1) })
    }()

    static let accountDefault = Command(
        "account default", "Set the default account", examples: ["work"], takes: [named], on: .node,
        at: Endpoint(
            "makeAccountDefault", .post, "/v1/accounts/{accountId}/default", .home,
            answer: .done(AccountName.self) { "\(Terminal.harmless($0.label ?? "")) is now the default account." }),
        begin: renaming(named) { try $0.node.makeDefault(at: $1) })

    /// The account's place in the identity, whether or not its store is open.
    private static func place(_ name: Parameter<String>, _ call: Call) throws(NodeError) -> Int {
        let index = try call.named(name) { () throws(NodeError) in try call.node.names.index(named: call[name]) }
        guard let index else { throw AccountNames.none }
        return index
    }

    /// Changes the named account in the identity, and answers with its label then.
    private static func renaming(
        _ name: Parameter<String>, _ change: @escaping @Sendable (Call, _ index: Int) throws -> Void
    ) -> Begin {
        reading { call in
            let index = try place(name, call)
            let id = call.node.names.entries[index].id
            try change(call, index)
            let label = call.node.names.entries.first { $0.id == id }?.label
            return AccountName { ($0.accountId, $0.label) = (id.hex, label) }
        }
    }

    static let accountRemove = Command(
        "account remove", "Remove an account from this device, with its messages and keys",
        examples: ["work", "work --yes"], takes: [named, yes], on: .node,
        at: Endpoint(
            "removeAccount", .delete, "/v1/accounts/{accountId}", .home,
            "Remove an account from this device; without confirmation, only report what would be removed",
            takes: [named, yes.named("confirmed").requested(help: "remove it")],
            answer: .object(RemovedAccount.self, shows: AccountText.removed))
    ) { call in
        let (node, index, isConfirmed) = (call.node, try place(named, call), call.has(yes))
        return atOnce { reply, _ in
            var removed = try NodeReporter(node).farewell(at: index)
            removed.removed = isConfirmed
            if isConfirmed { try node.removeAccount(at: index) }
            reply.data(removed)
            guard isConfirmed else {
                throw NodeError(.unconfirmed, "nothing is removed yet: confirm with \(parameter: yes.spec.name)")
            }
        }
    }

    static let accountRotate = Command(
        "account rotate", "Replace the account's keys; removed devices cannot read anything written later",
        takes: [accountPlace],
        at: Endpoint(
            "rotateAccount", .post, "/v1/account/rotation", .home,
            answer: .done(RotatedAccount.self) { rotated in
                "The account's keys were replaced. Your other devices get the new ones when they meet this one, or "
                    + "another that has them."
            }),
        begin: changing { call, _ in
            let account = try call.account
            try account.zone.membership.rotate()
            return RotatedAccount {
                ($0.accountId, $0.epoch) = (account.accountID.hex, Int(account.zone.membership.epoch))
            }
        })

    // MARK: Pauses

    private static let by = Parameter.text(
        "--by", .line("WHO", bytes: SyncState.Limits.pausedByBytes), "the name that `status` shows (default: you)")

    static let accountPause = Command(
        "account pause", "Pause sync of an account; local commands keep working",
        examples: ["", "work"], takes: [accountPlace, by],
        at: Endpoint(
            "pauseAccount", .post, "/v1/account/pause", .scope(.admin), answer: .done(AccountPause.self) { $0.words })
    ) { call in pausing([try call.account], call, isPause: true) }

    static let accountResume = Command(
        "account resume", "Resume sync of an account", examples: ["work"], takes: [accountPlace],
        at: Endpoint(
            "resumeAccount", .post, "/v1/account/resume", .scope(.admin), answer: .done(AccountPause.self) { $0.words })
    ) { call in pausing([try call.account], call, isPause: false) }

    static let pause = Command(
        "pause", "Pause sync of all accounts; local commands keep working", takes: [by], on: .node,
        at: Endpoint("pause", .post, "/v1/pause", .home, answer: .done(listOf: AccountPause.self) { $0.words })
    ) { call in pausing(call.node.accounts, call, isPause: true) }

    static let resume = Command(
        "resume", "Resume sync of all accounts", on: .node,
        at: Endpoint("resume", .post, "/v1/resume", .home, answer: .done(listOf: AccountPause.self) { $0.words })
    ) { call in pausing(call.node.accounts, call, isPause: false) }

    private static func pausing(_ accounts: [NodeAccount], _ call: Call, isPause: Bool) -> any Operation {
        atOnce(changesData: true) { reply, _ in
            for account in accounts {
                if isPause {
                    try account.zone.accountState.pause(by: call[by] ?? "you", wall: call.clock.wall())
                } else {
                    try account.zone.accountState.resume()
                }
                reply.data(AccountPause(account))
            }
        }
    }
}

extension AccountPause {
    fileprivate init(_ account: NodeAccount) {
        self.init()
        accountId = account.accountID.hex
        label = account.label
        paused = account.isPaused
        pausedBy = account.zone.pause?.by
        pausedSince = account.zone.pause.map { Int($0.since.milliseconds) }
    }

    fileprivate var words: String {
        let name = Terminal.harmless(label)
        return paused ? "\(name) is paused: nothing is sent or fetched." : "\(name) syncs again."
    }
}

enum AccountText {
    static let list = ListColumns<Account>(
        whenEmpty: "No accounts: `kachat-node account create` makes one.",
        [
            .text("ACCOUNT", .shortened(to: 8)) { $0.label + ($0.isDefault ? " (default)" : "") },
            .text("ID") { String($0.accountId.prefix(16)) },
            .cell("STATE") { TextTable.Cell($0.state, $0.state == "error" ? .bad : .plain) },
            .number("MESSAGES") { $0.store?.messages }, .number("UNREAD") { $0.store?.unread },
            .cell("NOTES", .wrapped(at: 12)) { TextTable.Cell($0.reason ?? "", .bad) },
        ])

    private static func keys(_ epoch: Int) -> String {
        switch epoch {
        case 0: "never replaced"
        case 1: "replaced once"
        default: "replaced \(Wording.grouped(epoch)) times"
        }
    }

    @Sendable static func details(_ account: AccountDetails, _ output: Output) {
        let confirm = output.program.command("account confirm", account: account.isDefault ? nil : account.label)
        output.facts([
            ("account", "\(account.label)\(account.isDefault ? " (the default)" : "")"), ("id", account.accountId),
            ("device", "\(account.name) (\(account.deviceId))"), ("state", account.state),
            ("created", Wording.time(account.createdAt)), ("added here", Wording.time(account.addedAt)),
            ("keys", keys(account.epoch)), ("schema", "\(account.schemaVersion)"),
            (
                "phrase",
                account.phraseOnDevice ? "still on this device: \(confirm) wipes it" : "not on this device"
            ),
            ("home", account.home),
        ])
    }

    @Sendable static func created(_ account: NewAccount, _ output: Output) {
        output.line("account \(account.accountId) (\(Terminal.harmless(account.label)))")
        output.line("device  \(account.deviceId)")
        output.line(
            PhraseText.explanation(account.phrase.split(separator: " ").map(String.init), columns: output.columns))
        let confirm = output.program.command("account confirm", account: account.label)
        output.line("\nThe words stay on this device until \(confirm) has asked for two of them.")
    }

    @Sendable static func removed(_ account: RemovedAccount, _ output: Output) {
        let name = "\(Terminal.harmless(account.label)) (\(account.accountId.prefix(16)))"
        guard !account.removed else { return output.line("Account \(name) is removed from this device.") }
        let messages = Wording.count(account.store?.messages ?? 0, "message")
        output.line("This would remove account \(name) from this device: \(messages), its keys and marks.")
        let queued = account.store?.queued ?? 0
        if queued > 0 {
            let flush = output.program.command("flush", account: account.label)
            let (are, them) = queued == 1 ? ("is", "it") : ("are", "them")
            output.line(
                "  \(queued) of them \(are) not archived, so no other device has \(them): \(flush) hands \(them) on.")
        }
        let devices = account.store?.devicesInSync ?? 0
        if devices > 0 {
            let hold = devices == 1 ? "holds" : "hold"
            let everything = queued > 0 ? "everything else" : "everything"
            output.line("  \(Wording.count(devices, "other device")) in reach \(hold) \(everything).")
        } else if let time = Wording.time(account.store?.lastSyncedAt) {
            output.line("  No device in reach holds all of it; one last did at \(time).")
        } else {
            output.line("  No other device is known to hold it: the data may be lost for good.")
        }
        if account.phraseOnDevice {
            output.line(
                "  Its recovery phrase goes too, and is nowhere else: write it down first ("
                    + output.program.command("account phrase", account: account.label) + ").")
        }
    }
}

/// A new recovery phrase, as it is shown.
package enum PhraseText {
    /// - Parameter columns: the terminal's width.
    package static func explanation(_ words: [String], columns: Int) -> String {
        let cellWidth = 15
        let across = columns < 4 * cellWidth + 2 ? 2 : 4
        let rows = (words.count + across - 1) / across
        var lines = ["", "The recovery phrase of your new account, \(words.count) words:", ""]
        for row in 0..<rows {
            let cells = stride(from: row, to: words.count, by: rows).map { index in
                Output.padded(Output.padded("\(index + 1)", 2, right: true) + " " + words[index], cellWidth)
            }
            let line = "  " + cells.joined()
            lines.append(String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]))
        }
        lines += [
            "",
            "Write it down on paper and keep it safe:",
            "- Anyone with it controls the account and can read its messages.",
            "- You need it to shut out a lost or stolen device, and if you lose all devices.",
            "- You do not need it to add a device: `account pair` does that with six digits.",
            "- Nobody can give it back to you. It restores the account, not messages that only lost devices had.",
        ]
        return lines.joined(separator: "\n")
    }
}
