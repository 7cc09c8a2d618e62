import Chat
import Glibc
package import Gossip
import LeaderboardShare
package import NodeCore
package import NodeModel
import SyncState
import Transport

/// The running node's state, for commands.
extension NodeNetwork {
    /// The number of an account's sessions with identified devices.
    package func sessionCount(_ account: NodeAccount) -> Int { served(account)?.sync.peers.count ?? 0 }

    /// The number of devices in reach that hold everything held here.
    func devicesInSync(_ account: NodeAccount) -> Int { served(account)?.sync.peers.count(where: \.isEqual) ?? 0 }

    package func isCaughtUp(_ account: NodeAccount) -> Bool { served(account)?.sync.isCaughtUp ?? false }

    package func state(of account: NodeAccount) -> String {
        machine.state(of: account.placeID, now: node.clock.now()).name
    }

    /// The state of the account that is in the worst state.
    package var state: String { state(node.accounts, node.unopened) }

    /// The worst state of these accounts.
    package func state(_ accounts: [NodeAccount], _ unopened: [UnopenedAccount]) -> String {
        let states = Set(accounts.map { state(of: $0) } + unopened.map { _ in "error" })
        return ["error", "removed", "waiting", "syncing", "idle", "paused"].first { states.contains($0) }
            ?? (states.isEmpty ? "idle" : "synced")
    }

    var protocolVersion: UInt16 { Gossip.Limits.protocolVersion }

    /// Looks for devices, asks the connected ones and sends them queued messages and reads, now. `haveAnswered` reports
    /// whether they have answered. A device that connects later gets the queued messages then. In a zone to which this
    /// device no longer belongs, it asks whether it does again.
    package func syncNow(_ accounts: [NodeAccount], now: MonotonicTime) -> [SessionID: UInt64] {
        machine.onWake(now: now)
        for account in accounts {
            account.zone.membership.askSoon()
            for group in account.groups { group.zone.membership.askSoon() }
        }
        writeOut(accounts.filter { sessionCount($0) > 0 }, now)
        return syncs(of: accounts).reduce(into: [:]) { questions, sync in
            sync.askAgain()
            questions.merge(sync.askAll(now: now)) { first, _ in first }
        }
    }

    package func haveAnswered(_ question: [SessionID: UInt64], _ accounts: [NodeAccount]) -> Bool {
        syncs(of: accounts).allSatisfy { $0.haveAnswered(question) }
    }

    /// Of the accounts and their groups.
    private func syncs(of accounts: [NodeAccount]) -> [ZoneSync] {
        accounts.flatMap { account in
            [served(account)?.sync].compactMap(\.self) + account.groups.compactMap { served($0)?.sync }
        }
    }

    var runningStatus: RunningNode {
        let statistics = machine.presence.statistics
        var status = RunningNode()
        status.pid = Int(getpid())
        status.listen = listeners.address?.description
        status.api = apiAddress
        status.addresses = joinHints.map(\.description)
        status.refused = connections.refusals
        status.refused.tooMany = machine.admission.turnedAway
        status.refused.records = machine.zones.reduce(0) { $0 + Int($1.sync.counters.recordsRejected) }
        status.refused.blobs = machine.zones.reduce(0) { $0 + Int($1.sync.counters.badBlobs) }
        status.foreignBeacons = Int(statistics.strangers + statistics.malformed + statistics.overBudget)
        return status
    }

    /// Per account: the connected devices, then other known addresses.
    package var peers: [Peer] { node.accounts.flatMap { peers(of: $0) } }

    package func peers(of account: NodeAccount) -> [Peer] {
        guard let served = served(account) else { return [] }
        let entries = machine.dialer.entries(place: served.id)
        let live = served.sync.peers
        let connected = live.map { met in
            var peer = Peer(met.lane, of: account)
            // After a restart a device has another address; the previous one is known for a while.
            let known = entries.filter { $0.device == met.lane }
            let entry = known.first { $0.state == .open(met.session) } ?? known.max { $0.seenAt < $1.seenAt }
            peer.address = (entry?.address ?? connections[met.session]?.address)?.description
            peer.foundBy = machine.dialer.origin(of: met.session, place: served.id)?.rawValue
            peer.state = "connected"
            peer.synced = met.isEqual && !account.zone.hasQueued
            peer.roundTripMicroseconds = connections[met.session]?.stream.roundTripMicroseconds.map { Int($0) }
            return peer
        }
        let others = entries.filter { entry in !live.contains { $0.lane == entry.device } }
        return connected + others.map { Peer($0, of: account) }
    }
}

extension Peer {
    fileprivate init(_ device: LaneID?, of account: NodeAccount) {
        self.init()
        accountId = account.accountID.hex
        deviceId = device?.hex
        name = device.flatMap { (try? account.zone.devices.name(of: $0)) ?? nil }
    }

    fileprivate init(_ entry: DialerEntry, of account: NodeAccount) {
        self.init(entry.device, of: account)
        address = entry.address.description
        foundBy = entry.origin.rawValue
        failures = Int(entry.failures)
        state =
            switch entry.state {
            case .idle where entry.busyUntil != nil: "busy"
            case .idle where entry.failures > 0: "unreachable"
            case .idle: "known"
            case .dialling: "connecting"
            case .open: "connecting"
            }
    }
}
