import Chat
import Node
import NodeCore
import NodeModel
import SyncState

/// `account …`, `pause` and `resume`
extension Command {
    static let accounts: [Command] = [
        accountList, accountShow, accountCreate, accountImport, accountLabel, accountDefault, accountRemove,
        accountPause, accountResume, accountRotateSyncKey, pause, resume,
    ]

    static let accountList = Command(
        "account list", "List the accounts of this node; the first is meant where none is named",
        examples: ["kachat-node account list", "kachat-node account list --json"], on: .node,
        at: [
            Endpoint(
                "accounts", .get, "/v1/accounts", .anyToken, "The accounts of this node, the default one first",
                answer: .list(of: Account.self, shows: AccountText.line))
        ]
    ) { call throws(NodeError) in
        listing {
            try NodeReporter(call.node).accountList().filter {
                call.onlyAccount == nil || $0.accountId == call.onlyAccount
            }
        }
    }

    static let accountShow = Command(
        "account show", "Show an account: its ids, its versions, since when it is there",
        examples: ["kachat-node account show --json"], takes: [account],
        at: [
            Endpoint(
                "account", .get, "/v1/account", .anyToken,
                "An account: its ids, its versions, since when it is there",
                answer: .object(AccountDetails.self, shows: AccountText.details))
        ]
    ) { call throws(NodeError) in
        let (node, account) = (call.node, try call.account)
        return reading { NodeReporter(node).describe(account) }
    }

    // MARK: Which there are

    static let accountCreate = Command(
        "account create", "Add a new account to this node, and show its recovery phrase",
        examples: ["kachat-node account create --label work"], takes: [AccountImportOperation.label], on: .node,
        at: [
            Endpoint(
                "createAccount", .post, "/v1/accounts", .home, "Add a new account, and tell its recovery phrase",
                takes: [AccountImportOperation.label], answer: .object(NewAccount.self, shows: AccountText.created))
        ]
    ) { call throws(NodeError) in
        let (node, label) = (call.node, call[AccountImportOperation.label])
        return ImmediateOperation { reply, _ in
            var random = SystemRandom()
            let entropy = Secret(random: &random, count: 32)
            let account = try node.add(.phrase(entropy: entropy), label: label, version: nil)
            var made = NewAccount()
            made.accountId = account.accountID.hex
            made.deviceId = account.zone.lane.hex
            made.label = account.label
            made.phrase = try RecoveryPhrase.words(entropy: entropy).joined(separator: " ")
            reply.data(made)
        }
    }

    static let accountImport: Command = {
        let taken: [any AnyParameter] = [AccountImportOperation.label, AccountImportOperation.version]
        let answer = Answer.object(AccountDetails.self, shows: AccountText.details)
        return Command(
            "account import", "Add an account whose phrase or wallet key you have to this node",
            examples: [
                "kachat-node account import --phrase-file phrase.txt --label work",
                "kachat-node account import --wallet-key key.hex",
            ],
            takes: [
                AccountImportOperation.label, AccountImportOperation.phraseFile, AccountImportOperation.walletKey,
                AccountImportOperation.version,
            ], on: .node,
            at: [
                Endpoint(
                    "importPhrase", .post, "/v1/accounts/phrase", .home, "Add the account of a recovery phrase",
                    takes: taken, fixed: [(AccountImportOperation.phraseFile, "-")],
                    body: .text("The 12 or 24 words."), answer: answer),
                Endpoint(
                    "importWalletKey", .post, "/v1/accounts/wallet-key", .home, "Add the account of a wallet's key",
                    takes: taken, fixed: [(AccountImportOperation.walletKey, "-")],
                    body: .text("64 hexadecimal digits."), answer: answer),
            ]
        ) { call throws(NodeError) in AccountImportOperation(call) }
    }()

    /// Of commands that may be about an account whose store is not open.
    private static let named = Parameter.text("ACCOUNT", .text("ACCOUNT"), "its id, the beginning of it, or its label")
        .named("accountId")

    static let accountLabel: Command = {
        let label = Parameter.text("LABEL", .line("LABEL", bytes: Node.Limits.labelBytes))
        return Command(
            "account label", "Call an account something else",
            examples: ["kachat-node account label private --account main"], takes: [label, account], on: .node,
            at: [
                Endpoint(
                    "labelAccount", .patch, "/v1/account", .home, "Call an account something else on this device",
                    takes: [label],
                    answer: .done(AccountName.self) { "It is called \(Terminal.harmless($0.label ?? "")) now." })
            ]
        ) { call throws(NodeError) in
            let (index, label) = (try place(call[account], call.node), try call.need(label))
            return renaming(index, call.node) { node throws(NodeError) in try node.setLabel(label, at: index) }
        }
    }()

    static let accountDefault = Command(
        "account default", "Make it the account that is meant where none is named",
        examples: ["kachat-node account default work"], takes: [named], on: .node,
        at: [
            Endpoint(
                "makeAccountDefault", .post, "/v1/accounts/{accountId}/default", .home,
                "Make it the account that is meant where none is named", takes: [named],
                answer: .done(AccountName.self) {
                    "\(Terminal.harmless($0.label ?? "")) is meant from now on where no account is named."
                })
        ]
    ) { call throws(NodeError) in
        let index = try place(call[named], call.node)
        return renaming(index, call.node) { node throws(NodeError) in try node.makeDefault(at: index) }
    }

    /// The account's place in the identity, whether or not its store is open.
    private static func place(_ name: String?, _ node: LocalNode) throws(NodeError) -> Int {
        guard let index = try node.names.index(named: name) else { throw AccountNames.none }
        return index
    }

    private static func renaming(
        _ index: Int, _ node: LocalNode, _ change: @escaping (LocalNode) throws(NodeError) -> Void
    ) -> any Operation {
        ImmediateOperation { reply, _ in
            let id = node.names.entries[index].id
            try change(node)
            var name = AccountName()
            name.accountId = id.hex
            name.label = node.names.entries.first { $0.id == id }?.label
            reply.data(name)
        }
    }

    static let accountRemove: Command = {
        let yes = Parameter.flag("--yes", "do not ask")
        return Command(
            "account remove", "Take an account off this device: its messages, its keys, its phrase",
            examples: ["kachat-node account remove work", "kachat-node account remove work --yes"],
            takes: [named, yes], on: .node,
            at: [
                Endpoint(
                    "removeAccount", .delete, "/v1/accounts/{accountId}", .home,
                    "Take an account off this device; unless that is confirmed, it only tells what would go",
                    takes: [named, yes.named("confirmed").requested(help: "it is to go")],
                    answer: .object(RemovedAccount.self, shows: AccountText.removed))
            ]
        ) { call throws(NodeError) in
            let (node, index, isConfirmed) = (call.node, try place(call[named], call.node), call.has(yes))
            return ImmediateOperation { reply, _ in
                var removed = try NodeReporter(node).farewell(at: index)
                removed.removed = isConfirmed
                if isConfirmed { try node.removeAccount(at: index) }
                reply.data(removed)
                guard isConfirmed else {
                    throw NodeError(
                        .notAllowed, "nothing is removed yet: confirm with \(parameter: yes.spec.name)")
                }
            }
        }
    }()

    static let accountRotateSyncKey: Command = {
        let version = Parameter.number(
            "--version", "V", 1...Chat.Limits.syncKeyVersion,
            "the version that another device shows, to catch up with it")
        return Command(
            "account rotate-sync-key", "Go over to new keys: who only has the old ones is left out",
            examples: ["kachat-node account rotate-sync-key", "kachat-node account rotate-sync-key --version 30"],
            takes: [account, version],
            at: [
                Endpoint(
                    "rotateSyncKey", .post, "/v1/account/sync-key", .home,
                    "Go over to new keys: who only has the old ones is left out", takes: [version],
                    answer: .done(RotatedKey.self) { key in
                        "The keys are at version \(key.syncKeyVersion) now. Your other devices follow when they meet "
                            + "this one; who only has older keys is left out."
                    })
            ]
        ) { call throws(NodeError) in
            let account = try call.account
            return changing { _ in
                try account.zone.accountState.rotateSyncKey(to: call[version].map(UInt64.init), wall: call.clock.wall())
                var key = RotatedKey()
                key.accountId = account.accountID.hex
                key.syncKeyVersion = Int(account.zone.accountState.syncKeyVersion)
                return key
            }
        }
    }()

    // MARK: Pauses

    private static let by = Parameter.text(
        "--by", .line("WHO", bytes: SyncState.Limits.pausedByBytes), "who wants it, as `status` shows (default: you)")

    static let accountPause = Command(
        "account pause", "Send and fetch nothing for an account until it is resumed; local work goes on",
        examples: ["kachat-node account pause --account work"], takes: [account, by],
        at: [
            Endpoint(
                "pauseAccount", .post, "/v1/account/pause", .scope(.admin),
                "Send and fetch nothing for an account until it is resumed",
                takes: [by.requested(help: "who wants it, as status shows")],
                answer: .done(AccountPause.self) { $0.words })
        ]
    ) { call throws(NodeError) in pausing([try call.account], call, true) }

    static let accountResume = Command(
        "account resume", "End the pause of an account",
        examples: ["kachat-node account resume --account work"], takes: [account],
        at: [
            Endpoint(
                "resumeAccount", .post, "/v1/account/resume", .scope(.admin), "End the pause of an account",
                answer: .done(AccountPause.self) { $0.words })
        ]
    ) { call throws(NodeError) in pausing([try call.account], call, false) }

    static let pause = Command(
        "pause", "Send and fetch nothing for any account until it is resumed; local work goes on",
        examples: ["kachat-node pause"], takes: [by], on: .node,
        at: [
            Endpoint(
                "pause", .post, "/v1/pause", .home, "Send and fetch nothing for any account until it is resumed",
                takes: [by.requested(help: "who wants it, as status shows")],
                answer: .done(listOf: AccountPause.self) { $0.words })
        ]
    ) { call throws(NodeError) in pausing(call.node.accounts, call, true) }

    static let resume = Command(
        "resume", "End the pause of all accounts", examples: ["kachat-node resume"], on: .node,
        at: [
            Endpoint(
                "resume", .post, "/v1/resume", .home, "End the pause of all accounts",
                answer: .done(listOf: AccountPause.self) { $0.words })
        ]
    ) { call throws(NodeError) in pausing(call.node.accounts, call, false) }

    /// Pauses the accounts or ends their pause.
    private static func pausing(_ accounts: [NodeAccount], _ call: Call, _ isPause: Bool) -> any Operation {
        let (by, clock) = (call[by] ?? "you", call.clock)
        return ImmediateOperation(changesData: true) { reply, _ in
            for account in accounts {
                if isPause {
                    try account.zone.accountState.pause(by: by, wall: clock.wall())
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
        return paused ? "\(name) is paused: nothing is sent or fetched." : "\(name) goes on."
    }
}

/// How accounts look on a terminal.
enum AccountText {
    @Sendable static func line(_ account: Account, _ output: Output) {
        let messages = account.store.map { store in
            "\(Wording.count(store.messages, "message")), \(Wording.grouped(store.unread)) unread"
        }
        let label = Output.padded(Terminal.harmless(account.label), 16)
        output.line(
            "\(account.isDefault ? "*" : " ") \(account.accountId.prefix(16))  \(label)  \(account.state)  "
                + (messages ?? Terminal.harmless(account.reason ?? "")))
    }

    @Sendable static func details(_ account: AccountDetails, _ output: Output) {
        output.fields(
            account,
            [
                "accountId", "deviceId", "name", "label", "isDefault", "state", "createdAt", "addedAt",
                "schemaVersion", "syncKeyVersion", "hasPhrase", "home",
            ])
    }

    @Sendable static func created(_ account: NewAccount, _ output: Output) {
        output.line("account \(account.accountId) (\(Terminal.harmless(account.label)))")
        output.line("device  \(account.deviceId)")
        output.line(
            PhraseText.explanation(account.phrase.split(separator: " ").map(String.init), program: "kachat-node"))
    }

    @Sendable static func removed(_ account: RemovedAccount, _ output: Output) {
        let name = "\(Terminal.harmless(account.label)) (\(account.accountId.prefix(16)))"
        guard !account.removed else { return output.line("Account \(name) is removed from this device.") }
        let messages = Wording.count(account.store?.messages ?? 0, "message")
        output.line("Account \(name) would go from this device: \(messages), its keys and marks.")
        let queued = account.store?.queued ?? 0
        if queued > 0 {
            output.line("  \(queued) of them are not archived, and so on no other device: `flush` hands them on.")
        }
        let devices = account.store?.devicesInSync ?? 0
        if devices > 0 {
            let hold = devices == 1 ? "holds" : "hold"
            output.line("  \(Wording.count(devices, "other device")) in reach \(hold) everything else.")
        } else if let time = account.store?.lastSyncedAt {
            let text = CivilTime(milliseconds: Int64(time)).text
            output.line("  No device in reach holds all of it; the last time that one did was \(text) UTC.")
        } else {
            output.line("  No other device has been seen to hold it: what is lost here may be lost for good.")
        }
        if account.hasPhrase {
            output.line(
                "  Its recovery phrase goes too: `kachat-node account phrase --account …` shows it, write it down.")
        }
    }
}

/// How a new recovery phrase is shown, once.
package enum PhraseText {
    package static func explanation(_ words: [String], program: String) -> String {
        let columns = 4
        let rows = (words.count + columns - 1) / columns
        var lines = ["", "The recovery phrase of your new account, \(words.count) words:", ""]
        for row in 0..<rows {
            let cells = stride(from: row, to: words.count, by: rows).map { index in
                let number = index + 1 < 10 ? " \(index + 1)" : "\(index + 1)"
                return "\(number) \(words[index])" + String(repeating: " ", count: max(1, 12 - words[index].count))
            }
            lines.append("  " + cells.joined())
        }
        lines += [
            "",
            "Write it down on paper and keep it safe: whoever has these words has the account and all its messages.",
            "Your other devices join with them (`kachat-node init --phrase-file F`). If all your devices are lost, the",
            "words bring the account back; nothing and nobody else can. `\(program) account phrase` shows them again.",
        ]
        return lines.joined(separator: "\n")
    }
}
