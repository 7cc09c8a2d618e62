import Chat
package import Gossip
package import NodeCore
import SyncState
import Transport

/// The running node's state for commands.
extension NodeNetwork {
    /// Number of an account's sessions with identified devices.
    package func sessionCount(_ account: NodeAccount) -> Int { served(account)?.sync.peers.count ?? 0 }

    /// Number of connected devices that hold everything held here.
    func devicesInSync(_ account: NodeAccount) -> Int { served(account)?.sync.peers.count(where: \.isEqual) ?? 0 }

    package func isCaughtUp(_ account: NodeAccount) -> Bool { served(account)?.sync.isCaughtUp ?? false }

    package func state(of account: NodeAccount) -> String {
        machine.state(of: account.placeID, now: node.clock.now()).name
    }

    /// The state of the least advanced account: the node is only as far as its last zone.
    package var state: String { state(node.accounts, node.unopened) }

    /// The same for some accounts.
    package func state(_ accounts: [NodeAccount], _ unopened: [UnopenedAccount]) -> String {
        let states = Set(accounts.map { state(of: $0) } + unopened.map { _ in "error" })
        return ["error", "waiting", "syncing", "idle", "paused"].first { states.contains($0) }
            ?? (states.isEmpty ? "idle" : "synced")
    }

    var protocolVersion: UInt16 { Transport.Limits.protocolVersion }

    /// Looks for devices, asks those connected, and sends them what is queued, now; `haveAnswered` tells when they have
    /// answered. A device that connects later gets queued data because it connects.
    package func syncNow(_ accounts: [NodeAccount], now: MonotonicTime) -> [SessionID: UInt64] {
        machine.onWake(now: now)
        for account in accounts where sessionCount(account) > 0 { cutQueue(of: account, now) }
        return accounts.reduce(into: [:]) { questions, account in
            guard let sync = served(account)?.sync else { return }
            sync.askAgain()
            questions.merge(sync.askAll(now: now)) { first, _ in first }
        }
    }

    package func haveAnswered(_ question: [SessionID: UInt64], _ accounts: [NodeAccount]) -> Bool {
        accounts.allSatisfy { account in
            guard let sync = served(account)?.sync else { return true }
            return sync.haveAnswered(question)
        }
    }

    var statusFields: [String: JSONValue] {
        let statistics = machine.presence.statistics
        return [
            "listen": .optional(listeners.address?.description), "api": .optional(apiAddress),
            "addresses": .array(joinHints.map { .string($0.description) }),
            "refused": .object([
                "strangers": .number(connections.refusals.strangers),
                "malformed": .number(connections.refusals.malformed),
                "timeouts": .number(connections.refusals.timeouts), "aborted": .number(connections.refusals.aborted),
                "tooMany": .number(
                    machine.admission.refused(.tooManyHalfOpen) + machine.admission.refused(.tooManyFromAddress)
                        + machine.admission.refused(.tooManySessions)),
                "records": .number(machine.zones.reduce(0) { $0 + $1.sync.counters.recordsRejected }),
                "blobs": .number(machine.zones.reduce(0) { $0 + $1.sync.counters.badBlobs }),
            ]),
            "foreignBeacons": .number(statistics.strangers + statistics.malformed + statistics.overBudget),
            "pid": .number(ProcessID.current),
        ]
    }

    /// Per account: connected devices, then other known addresses.
    package var peers: [JSONValue] { node.accounts.flatMap { peers(of: $0) } }

    package func peers(of account: NodeAccount) -> [JSONValue] {
        guard let served = served(account) else { return [] }
        let entries = machine.dialer.entries(place: served.id)
        let live = served.sync.peers
        let connected = live.map { peer in
            let known = entries.first { $0.device == peer.lane }?.address
            let address = known ?? connections[peer.session]?.address
            return JSONValue.object([
                "accountId": .string(account.accountID.hex),
                "deviceId": .string(peer.lane.hex), "address": .optional(address?.description),
                "foundBy": .optional(machine.dialer.origin(of: peer.session, place: served.id)?.rawValue),
                "state": .string("connected"), "synced": .bool(peer.isEqual && !account.zone.hasQueued),
                "roundTripMicroseconds": .optional(connections[peer.session]?.stream.roundTripMicroseconds),
            ])
        }
        let others = entries.filter { entry in !live.contains { $0.lane == entry.device } }
        return connected + others.map { json($0, account) }
    }

    private func json(_ entry: DialerEntry, _ account: NodeAccount) -> JSONValue {
        let state: String =
            switch entry.state {
            case .idle where entry.busyUntil != nil: "busy"
            case .idle where entry.failures > 0: "unreachable"
            case .idle: "known"
            case .dialling: "connecting"
            case .open: "connecting"
            }
        return .object([
            "accountId": .string(account.accountID.hex),
            "deviceId": .optional(entry.device?.hex), "address": .string(entry.address.description),
            "foundBy": .string(entry.origin.rawValue), "state": .string(state), "failures": .number(entry.failures),
        ])
    }
}
