import Chat
import Glibc
import Gossip
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState
import Transport

/// The node's part of `doctor`: checks of itself, its stores and its peers. Asks each peer for an answer, and waits a
/// moment for it.
final class DoctorOperation: Operation {
    let changesData = false
    private let node: LocalNode
    private var question: [SessionID: UInt64] = [:]
    private var deadline: MonotonicTime?

    init(node: LocalNode) { self.node = node }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        let accounts = node.accounts.filter { !$0.isPaused }
        if let network = node.network, !network.isInBackground {
            let deadline = deadline ?? ask(network, accounts, now)
            self.deadline = deadline
            // A peer's last answer wakes no command, so it looks again soon.
            guard now >= deadline || network.haveAnswered(question, accounts) else {
                return .waiting(until: min(deadline, now + Node.Limits.handoverLook))
            }
        }
        reply.data(running)
        for check in try checks(now) { reply.data(check) }
        return .done
    }

    private func ask(_ network: NodeNetwork, _ accounts: [NodeAccount], _ now: MonotonicTime) -> MonotonicTime {
        for account in accounts {
            guard let sync = network.served(account)?.sync else { continue }
            question.merge(sync.askAll(now: now)) { first, _ in first }
        }
        return now + Limits.doctorPatience
    }

    private var running: Check {
        guard let network = node.network else {
            return Check(
                "node", .warning, "no node is running on this home: nothing is sent or fetched",
                advice: node.program.command("run"), details: Check.Details { $0.running = false })
        }
        let details = Check.Details {
            $0.running = true
            $0.pid = Int(getpid())
            $0.api = network.apiAddress
            $0.listen = network.listeners.address?.description
            $0.discovery = network.discovery.mode.text
            $0.startedAt = Int(node.startedAt.milliseconds)
        }
        if network.isInBackground {
            return Check(
                "node", .warning, "the node is in the background: nothing is sent or fetched",
                advice: node.program.command("foreground"), details: details)
        }
        return Check("node", .ok, "running as process \(getpid())", details: details)
    }

    private func checks(_ now: MonotonicTime) throws -> [Check] {
        var found = node.unopened.map { account in
            Check(
                "store", .failure, "account \(account.label): \(account.error.sentence.fact)",
                advice: account.problem(node.program).advice,
                details: Check.Details { $0.accountId = account.accountID.hex })
        }
        for account in node.accounts {
            found.append(store(account.name, account.database, account.fault, path: account.path))
            for group in account.groups {
                found.append(store(group.name, group.database, group.fault, path: group.path))
                if group.fault?.isOutOfRoom == true { found.append(room(of: group)) }
            }
            found += account.unopenedGroups.map { group in
                Check(
                    "store", .failure, "group \(group.membership.title): \(group.error.message)",
                    advice: "restore it from a backup or another device of yours; members' devices have its records",
                    details: Check.Details { $0.groupId = group.membership.group.hex })
            }
            found.append(try messages(account))
            found += try belonging(account)
            found += try PeerExamination(account: account, node: node, now: now).checks()
            found += Group.standings(of: account, node).compactMap(standing)
            found += account.groups.compactMap { owner(of: $0, account) }
        }
        return found
    }

    /// How a group stands; nil for what the checks of stores say.
    private func standing(_ group: GroupStatus) -> Check? {
        let state: Check.State
        switch group.verdict {
        case .upToDate: state = .ok
        case .incomplete: state = group.state == "joining" ? .warning : .failure
        case .full, .error: return nil
        case .syncing, .offline, .paused: state = .warning
        case nil where group.state == "error": return nil
        case nil: state = .warning
        }
        return Check(
            "group", state, "\(group.title): \(group.summary)",
            details: Check.Details { ($0.groupId, $0.verdict) = (group.groupId, group.verdict) })
    }

    /// An account's verdict says that it is full.
    private func room(of group: NodeGroup) -> Check {
        let drop = node.command("group remove \(Program.quoted(group.title)) NAME --drop-results", for: group.owner)
        return Check(
            "store", .failure, "\(group.name): \(Group(group, node).sentence)",
            advice: "free space, or raise the quota; its owner can let go what somebody posted (\(drop))",
            details: Check.Details { $0.groupId = group.zone.zone.hex })
    }

    private func store(_ name: String, _ database: Database, _ fault: NodeError?, path: String) -> Check {
        // A store that cannot be read has the size of its file.
        let size = (try? database.usedBytes()) ?? Files.sizeBytes(path)
        let quota = database.mostBytes.map { " of a quota of \(Wording.bytes($0))" } ?? ""
        func check(_ state: Check.State, _ text: String, advice: String? = nil) -> Check {
            let details = Check.Details { ($0.store, $0.bytes) = (name, size) }
            return Check("store", state, "\(name): \(text)", advice: advice, details: details)
        }
        let scrub = "\(node.program.command("scrub")) checks every byte and fetches damaged data again"
        // A full store is whole; the verdict says what it needs.
        if let fault, !fault.isOutOfRoom { return check(.failure, "\(fault.sentence.fact)", advice: scrub) }
        guard node.network == nil || size <= Limits.doctorStoreBytes else {
            return check(
                .ok, "open; too large (\(Wording.bytes(size))\(quota)) to check while the node serves", advice: scrub)
        }
        do {
            if let damage = try database.quickCheck() {
                let more = "; if that does not help, restore from another device or a backup"
                return check(.failure, damage, advice: scrub + more)
            }
        } catch {
            return check(.failure, "\(NodeError(cause: error).sentence.fact)", advice: scrub)
        }
        let all = "\(node.program.command("scrub")) checks everything"
        return check(.ok, "\(Wording.bytes(size))\(quota), no damage in a quick check; \(all)")
    }

    /// The account's verdict.
    private func messages(_ account: NodeAccount) throws -> Check {
        let reporter = ZoneReporter(account, of: node)
        let (facts, missing) = (try reporter.facts(), try reporter.missing()?.all)
        let details = Check.Details {
            $0.accountId = account.accountID.hex
            $0.verdict = facts.verdict
            $0.missing = missing.map(Gap.init)
            $0.placeholders = facts.placeholders
            $0.queued = facts.queued
        }
        let state: Check.State =
            switch facts.verdict {
            case .upToDate: .ok
            case .syncing, .offline, .paused: .warning
            case .incomplete, .full, .error: .failure
            }
        let absent = facts.verdict == .incomplete ? missing : nil
        return Check(
            "messages", state,
            "account \(account.label): " + (absent.map { "\(facts.verdict.title): \($0.sentence)" } ?? facts.headline),
            advice: state == .ok ? nil : absent?.remedy ?? advice(facts), details: details)
    }

    private func advice(_ facts: ZoneFacts) -> String {
        switch facts.verdict {
        case .syncing: "wait: it continues by itself"
        case .offline: "turn on your other devices near this one; forget those that are gone for good"
        case .full: "free space on its disk, or raise the quota; \(node.program.command("status")) says how much"
        default: "\(node.program.command("status")) says more"
        }
    }

    /// Checks the account's devices: keys due to be replaced, and room that runs out.
    private func belonging(_ account: NodeAccount) throws -> [Check] {
        guard !account.zone.membership.isOver else { return [] }
        func check(_ state: Check.State, _ text: String, advice: String? = nil) -> Check {
            let details = Check.Details { $0.accountId = account.accountID.hex }
            return Check("devices", state, "account \(account.label): \(text)", advice: advice, details: details)
        }
        let devices = try account.devices(node.network?.served(account), clock: node.clock)
        let problems = AccountProblem.ofLedger(account, devices, of: node)
        guard problems.isEmpty else { return problems.map { check(.warning, $0.what, advice: $0.advice) } }
        let lanes = account.zone.membership.laneFill
        return [check(.ok, "\(lanes.used) of at most \(lanes.most) devices, no keys to replace")]
    }

    /// Warns an owner with a single device: if it is lost, nobody can lead the group.
    private func owner(of group: NodeGroup, _ account: NodeAccount) -> Check? {
        let zone = group.zone
        guard group.isServed, zone.state.owner == zone.member, !zone.state.isClosed, !account.zone.membership.isOver
        else { return nil }
        let devices = zone.roster.members().first(where: \.isMe)?.devices ?? 0
        let details = Check.Details { ($0.groupId, $0.title, $0.devices) = (zone.zone.hex, group.title, devices) }
        guard devices <= 1 else {
            return Check("owner", .ok, "group \(group.title): yours, on \(devices) devices", details: details)
        }
        return Check(
            "owner", .warning,
            "group \(group.title): yours, on this device alone: if it is lost, nobody can invite, remove or delete",
            advice: "add a second device (\(node.command("account pair", for: account))), or let somebody create a "
                + "successor: " + node.command("group successor \(Program.quoted(group.title))", for: account),
            details: details)
    }
}
