import Chat
import Gossip
import LeaderboardShare
import Ledger
import Node
import NodeCore
import NodeModel
import SyncState

/// `sync`: asks all peers of the accounts and of their groups now, and sends them the queue; with `--wait` it ends when
/// the node has caught up with the devices in reach, and they hold what was queued, or when an account's verdict says
/// that waiting is in vain.
final class SyncOperation: Operation {
    let changesData = false
    private let network: NodeNetwork
    private let accounts: [NodeAccount]
    private let seesGroups: Bool
    private let waits: Bool
    private let timeout: Duration
    private var deadline: MonotonicTime?
    /// The time of the next progress line; nil before the first.
    private var nextProgress: MonotonicTime?
    private var lastProgress: JSONValue?
    /// Of other members of the accounts' groups.
    private var groupPeers = 0
    /// The question to each peer; waiting for the answers covers changes that are on their way.
    private var question: [SessionID: UInt64] = [:]

    static let now = Parameter.flag("--now", "ask at once, also for missing messages, and do not wait (the default)")
    static let wait = Parameter.flag("--wait", "return when caught up with the devices in reach")
    static let timeout = Parameter.seconds(
        "--timeout", upTo: 86_400, "with --wait, give up after that time (exit 6; default: 2m)"
    ).requested(.value(.seconds(upTo: UInt64(usualSeconds))))

    /// Also the most that a request may wait.
    private static let usualSeconds = 120

    init(_ call: Call) throws(NodeError) {
        guard !call.has(Self.now) || !call.has(Self.wait) else {
            throw .wrong(Self.now, "returns at once and \(parameter: Self.wait.spec.name) does not: choose one of them")
        }
        let accounts = call.has(Command.account) ? [try call.account] : call.node.accounts
        let network = try call.network
        if network.isInBackground {
            throw NodeError(.failed, "the node is in the background\(advice: ": `kachat-node foreground` ends that")")
        }
        network.lookAtIdentity(network.node.clock.now())
        if let fault = network.identityFault { throw fault }
        self.network = network
        // Paused accounts fetch nothing.
        self.accounts = accounts.filter { !$0.isPaused }
        if self.accounts.isEmpty, let first = accounts.first {
            let resume = network.node.command("account resume", for: first)
            throw NodeError(.failed, "account \(first.label) is paused\(advice: "; resume it with \(resume)")")
        }
        seesGroups = !call.request.has(NodeService.withoutGroups)
        waits = call.has(Self.wait)
        timeout = call[Self.timeout] ?? .seconds(Self.usualSeconds)
    }

    func step(input: inout InputLines, reply: inout CommandReply, now: MonotonicTime) throws -> OperationProgress {
        let deadline = deadline ?? begin(now)
        let facts = try accounts.map { try ZoneReporter($0, of: network.node).facts() }
        let gravest = facts.max { $0.verdict < $1.verdict }
        let groups = accounts.map { GroupsInReach($0, network) }
        groupPeers = groups.reduce(0) { $0 + $1.members }
        let areGroupsCaughtUp = groups.allSatisfy(\.areCaughtUp)
        let isCaughtUp =
            areGroupsCaughtUp && network.haveAnswered(question, accounts)
            && accounts.indices.allSatisfy { hasCaughtUp(accounts[$0], facts[$0], groups[$0]) }
        let hasOnlyGroups = facts.allSatisfy { $0.devices.count == 1 } && groups.contains { $0.live > 0 }
        let areAllPaused = groups.allSatisfy { $0.live == 0 || $0.allPaused != nil }
        if waits, hasOnlyGroups, areAllPaused, let paused = groups.compactMap(\.allPaused).first {
            let resume = network.node.command("group resume \(Program.quoted(paused.title))", for: paused.owner)
            throw NodeError(.failed, "\(named(paused)) is paused\(advice: "; resume it with \(resume)")")
        }
        guard isCaughtUp || !waits || now >= deadline || gravest.map(Self.isHopeless) == true else {
            try tellProgress(&reply, gravest, hasOnlyGroups, until: deadline, now)
            // A peer's last answer wakes no command, so it looks again soon.
            return .waiting(until: min(deadline, now + .milliseconds(20)))
        }
        if nextProgress != nil { reply.progress(["isLast": true]) }
        reply.data(
            SyncResult {
                ($0.caughtUp, $0.peers, $0.groupPeers) = (isCaughtUp, peers, groupPeers)
                $0.verdict = gravest?.verdict ?? .error
            })
        guard waits, !isCaughtUp, let gravest else { return .done }
        let text = gravest.headline
        if Self.isHopeless(gravest) { throw NodeError(.failed, "not caught up: \(text)") }
        let reason =
            if let coming = groups.compactMap(\.coming).first {
                "the records of \(named(coming)) are still to come"
            } else if !areGroupsCaughtUp {
                "still comparing with \(Wording.count(groupPeers, "device")) of group members; \(text)"
            } else if peers + groupPeers == 0, hasOnlyGroups { "nobody of your groups is in reach" } else {
                peers == 0 ? "no device of the account is in reach; \(text)" : text
            }
        throw NodeError(.timedOut, "not caught up in time: \(reason)")
    }

    /// A token that may not read groups learns no titles.
    private func named(_ group: NodeGroup) -> String { seesGroups ? group.name : "a group" }

    /// Without another device there is nobody to wait for but the groups in reach.
    private func hasCaughtUp(_ account: NodeAccount, _ facts: ZoneFacts, _ groups: GroupsInReach) -> Bool {
        guard network.sessionCount(account) == 0 else { return facts.isCaughtUp }
        return groups.members > 0 && facts.devices.count == 1 && !Self.isHopeless(facts)
    }

    /// Whether waiting changes nothing, because somebody must do something first.
    private static func isHopeless(_ facts: ZoneFacts) -> Bool { [.paused, .full, .error].contains(facts.verdict) }

    /// Reports the progress of the first account with data still to come, or else what is waited for.
    private func tellProgress(
        _ reply: inout CommandReply, _ gravest: ZoneFacts?, _ hasOnlyGroups: Bool, until deadline: MonotonicTime,
        _ now: MonotonicTime
    ) throws {
        guard now >= nextProgress ?? now else { return }
        nextProgress = now + Limits.progressPause
        guard let account = accounts.first(where: { $0.zone.store.wantedCount > 0 }) else {
            let hasHeard = network.haveAnswered(question, accounts) && gravest?.verdict != .upToDate
            let waitsFor =
                hasOnlyGroups && peers + groupPeers == 0
                ? "waiting for somebody of your groups"
                : Self.waitsFor(peers + groupPeers, headline: hasHeard ? gravest?.headline : nil)
            let left = (deadline - now) / .seconds(1)
            return tell(["waitsFor": .string(waitsFor), "secondsLeft": .number(Int(left.rounded(.up)))], &reply)
        }
        tell(try RestoreProgress(account, network.served(account), now: now).json, &reply)
    }

    private func tell(_ progress: JSONValue, _ reply: inout CommandReply) {
        guard progress != lastProgress else { return }
        lastProgress = progress
        reply.progress(progress)
    }

    /// - Parameter headline: nil while the devices in reach have not said what they have: what was known before may be
    ///   out of date.
    static func waitsFor(_ peers: Int, headline: String?) -> String {
        guard peers > 0 else { return "waiting for a device in reach" }
        return headline ?? "asking \(Wording.count(peers, "device")) what is new"
    }

    private var peers: Int { accounts.reduce(0) { $0 + network.sessionCount($1) } }

    private func begin(_ now: MonotonicTime) -> MonotonicTime {
        question = network.syncNow(accounts, now: now)
        let deadline = now + timeout
        self.deadline = deadline
        return deadline
    }
}

/// The groups of an account that the user is in, as far as a sync waits for them.
private struct GroupsInReach {
    /// Groups that are not over.
    private(set) var live = 0
    /// Devices of other members in reach, in groups that are not over.
    private(set) var members = 0
    private(set) var areCaughtUp = true
    /// One that this device has just heard of, while somebody is in reach who may have its records.
    private(set) var coming: NodeGroup?
    /// One of them, if all are paused.
    private(set) var allPaused: NodeGroup?

    init(_ account: NodeAccount, _ network: NodeNetwork) {
        var isAnyOpen = false
        for group in account.groups where group.isIn {
            let facts = GroupFacts(group, of: network.node)
            let mayCome = network.sessionCount(account) > 0 || !facts.isAlone
            if !facts.isIn, mayCome, !group.hasNoPlace, group.zone.pause == nil { coming = group }
            if !facts.isAlone, !facts.isCaughtUp { areCaughtUp = false }
            guard !group.zone.state.isClosed else { continue }
            live += 1
            members += facts.others
            if group.zone.pause == nil { isAnyOpen = true } else { allPaused = group }
        }
        if coming != nil { areCaughtUp = false }
        if isAnyOpen { allPaused = nil }
    }
}
