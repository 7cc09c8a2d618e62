import Chat
import Node
import NodeCore
import SyncState

/// `account …`, `pause` and `resume`
extension OperationFactory {
    func accountOperation(_ request: ControlRequest) throws(NodeError) -> (any ControlOperation)? {
        switch request.command {
        case "account show":
            let account = try account(request)
            return ImmediateOperation { [node] reply, _ in reply.data(NodeReporter(node).describe(account)) }
        case "account list":
            let only = request.text(NodeService.onlyAccount)
            return ImmediateOperation { [node] reply, _ in
                for line in try NodeReporter(node).accountList() where only == nil || line["accountId"]?.text == only {
                    reply.data(line)
                }
            }
        case "account create": return create(request)
        case "account import": return try AccountImportOperation(node: node, request: request)
        case "account label":
            let index = try place(request.text(OptionSpec.account.name))
            let label = request.text("LABEL") ?? ""
            return changing(index) { node throws(NodeError) in try node.setLabel(label, at: index) }
        case "account default":
            let index = try place(request.text("ACCOUNT"))
            return changing(index) { node throws(NodeError) in try node.makeDefault(at: index) }
        case "account remove": return remove(try place(request.text("ACCOUNT")), isConfirmed: request.has("--yes"))
        case "account rotate-sync-key": return try rotate(request)
        case "account pause", "account resume": return try setPause([try account(request)], request)
        case "pause", "resume": return try setPause(node.accounts, request)
        default: return nil
        }
    }

    /// The account's place in the identity, whether or not its store is open.
    private func place(_ name: String?) throws(NodeError) -> Int {
        guard let index = try node.names.index(named: name) else { throw AccountNames.none }
        return index
    }

    private func create(_ request: ControlRequest) -> any ControlOperation {
        ImmediateOperation { [node] reply, _ in
            var random = SystemRandom()
            let entropy = Secret(random: &random, count: 32)
            let account = try node.add(.phrase(entropy: entropy), label: request.text("--label"), version: nil)
            reply.data(
                .object([
                    "accountId": .string(account.accountID.hex), "deviceId": .string(account.zone.lane.hex),
                    "label": .string(account.label),
                    "phrase": .string(try RecoveryPhrase.words(entropy: entropy).joined(separator: " ")),
                ]))
        }
    }

    private func changing(
        _ index: Int, _ change: @escaping (LocalNode) throws(NodeError) -> Void
    ) -> any ControlOperation {
        ImmediateOperation { [node] reply, _ in
            let id = node.names.entries[index].id
            try change(node)
            let entry = node.names.entries.first { $0.id == id }
            reply.data(.object(["accountId": .string(id.hex), "label": .optional(entry?.label)]))
        }
    }

    private func remove(_ index: Int, isConfirmed: Bool) -> any ControlOperation {
        ImmediateOperation { [node] reply, _ in
            var fields = try NodeReporter(node).farewell(at: index)
            fields["removed"] = .bool(isConfirmed)
            if isConfirmed { try node.removeAccount(at: index) }
            reply.data(.object(fields))
            if !isConfirmed { throw NodeError(.notAllowed, "nothing is removed yet: confirm with --yes") }
        }
    }

    private func rotate(_ request: ControlRequest) throws(NodeError) -> any ControlOperation {
        let account = try account(request)
        return ImmediateOperation(changesData: true) { [clock = node.clock] reply, _ in
            try account.zone.accountState.rotateSyncKey(to: request.number("--version"), wall: clock.wall())
            reply.data(
                .object([
                    "accountId": .string(account.accountID.hex),
                    "syncKeyVersion": .number(account.zone.accountState.syncKeyVersion),
                ]))
        }
    }

    /// Who asks for a pause.
    func pausedBy(_ request: ControlRequest) throws(NodeError) -> String {
        let by = request.text("--by") ?? "you"
        guard by.utf8.count <= SyncState.Limits.pausedByBytes, !by.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw NodeError(.usage, "--by must be one line of at most \(SyncState.Limits.pausedByBytes) bytes")
        }
        return by
    }

    /// Pauses the accounts or ends their pause, by the command's last word.
    private func setPause(
        _ accounts: [NodeAccount], _ request: ControlRequest
    ) throws(NodeError) -> any ControlOperation {
        let isPause = request.command.hasSuffix("pause")
        let by = try pausedBy(request)
        return ImmediateOperation(changesData: true) { [node] reply, _ in
            for account in accounts {
                if isPause {
                    try account.zone.accountState.pause(by: by, wall: node.clock.wall())
                } else {
                    try account.zone.accountState.resume()
                }
                reply.data(
                    .object([
                        "accountId": .string(account.accountID.hex), "label": .string(account.label),
                        "paused": .bool(account.isPaused), "pausedBy": .optional(account.zone.pause?.by),
                        "pausedSince": .optional(account.zone.pause?.since.milliseconds),
                    ]))
            }
        }
    }
}
