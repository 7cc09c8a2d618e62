import Gossip
import NodeCore
import SyncState
import Transport

/// What commands ask of the running node.
extension NodeNetwork {
    /// Sessions with devices that have said who they are.
    var sessionCount: Int { served?.sync.peers.count ?? 0 }

    var isCaughtUp: Bool { served?.sync.isCaughtUp ?? false }

    var state: String { accountState }

    var accountState: String { served?.state.name ?? "idle" }

    /// The sentence for the user about a state that is not simply good.
    var accountReason: String? {
        switch served?.state {
        case .waiting(let why, _): why
        case .idle, .syncing: pause ?? (served?.state == .idle ? "offline; will sync when a device is in reach" : nil)
        default: nil
        }
    }

    /// Said while the only devices in reach asked for a pause.
    private var pause: String? {
        let now = node.clock.now()
        guard let served, let until = machine.pausedUntil(zone: served.id, now: now) else { return nil }
        let seconds = (until - now).components.seconds + 1
        let wall = node.clock.wall() + .seconds(seconds)
        return "paused until \(CivilTime(milliseconds: wall.milliseconds).text) UTC: the other device is busy"
    }

    /// Looks for devices and asks those connected, now; `haveAnswered` tells when these have said what they have.
    func syncNow(now: MonotonicTime) -> [SessionID: UInt64] {
        machine.onWake(now: now)
        return served?.sync.askAll() ?? [:]
    }

    func haveAnswered(_ question: [SessionID: UInt64]) -> Bool { served?.sync.haveAnswered(question) ?? true }

    var statusFields: [String: JSONValue] {
        let statistics = machine.presence.statistics
        return [
            "listen": .optional(listeners.first?.address.description),
            "refused": .object([
                "strangers": .number(refusals.strangers), "malformed": .number(refusals.malformed),
                "timeouts": .number(refusals.timeouts), "aborted": .number(refusals.aborted),
                "tooMany": .number(
                    admission.refused(.tooManyHalfOpen) + admission.refused(.tooManyFromAddress)
                        + admission.refused(.tooManySessions)),
                "records": .number(served?.sync.counters.recordsRejected ?? 0),
                "blobs": .number(served?.sync.counters.badBlobs ?? 0),
                "beacons": .number(statistics.strangers + statistics.malformed + statistics.overBudget),
            ]),
            "pid": .number(ProcessID.current),
        ]
    }

    /// The devices there are sessions with, then the addresses that are known besides.
    var peers: [JSONValue] {
        guard let served else { return [] }
        let entries = machine.dialer.entries(zone: served.id)
        let live = served.sync.peers
        let connected = live.map { peer in
            let known = entries.first { $0.device == peer.lane }?.address
            let address = known ?? connections[peer.session]?.address
            return JSONValue.object([
                "deviceId": .string(peer.lane.hex), "address": .optional(address?.description),
                "foundBy": .optional(machine.dialer.origin(of: peer.session, zone: served.id)?.rawValue),
                "state": .string("connected"), "synced": .bool(peer.isEqual),
            ])
        }
        let others = entries.filter { entry in !live.contains { $0.lane == entry.device } }
        return connected + others.map { json($0) }
    }

    private func json(_ entry: DialerEntry) -> JSONValue {
        let state: String =
            switch entry.state {
            case .idle where entry.busyUntil != nil: "busy"
            case .idle where entry.failures > 0: "unreachable"
            case .idle: "known"
            case .dialling: "connecting"
            case .open: "connecting"
            }
        return .object([
            "deviceId": .optional(entry.device?.hex), "address": .string(entry.address.description),
            "foundBy": .string(entry.origin.rawValue), "state": .string(state), "failures": .number(entry.failures),
        ])
    }
}
