import Chat
import Gossip
import Node
import NodeCore
import NodeModel
import SyncState

/// Checks of an account's devices: which are in reach, how they were found, their round-trip time and their clocks.
struct PeerExamination {
    let account: NodeAccount
    let node: LocalNode
    let now: MonotonicTime

    func checks() throws -> [Check] {
        // A device that was removed meets nobody.
        guard !account.zone.membership.isOver, let network = node.network, let served = network.served(account) else {
            return []
        }
        if let pause = account.zone.pause {
            return [
                Check(
                    "peers", .ok, "account \(account.label) is paused by \(pause.by): no search for devices",
                    advice: node.command("account resume", for: account), details: own)
            ]
        }
        let met = served.sync.peers.map { peer in
            Met(
                lane: peer.lane, name: (try? account.zone.devices.name(of: peer.lane)) ?? nil,
                foundBy: network.machine.dialer.origin(of: peer.session, place: served.id)?.rawValue,
                measure: served.sync.measure(of: peer.session))
        }
        return try [peers(met, served), clock(met)]
    }

    private struct Met {
        let lane: LaneID
        let name: String?
        let foundBy: String?
        let measure: PeerMeasure?

        var shownName: String { name ?? "device \(lane.shortHex)" }

        var words: String {
            let way = foundBy.map { ", found by \($0)" } ?? ""
            let time = measure.map { ", round trip \(Self.milliseconds($0.roundTrip)) ms" } ?? ", no answer yet"
            return shownName + way + time
        }

        static func milliseconds(_ duration: Duration) -> String {
            let tenths = duration.heldNanoseconds / 100_000
            return "\(tenths / 10).\(tenths % 10)"
        }
    }

    private var own: Check.Details {
        Check.Details { ($0.accountId, $0.label) = (account.accountID.hex, account.label) }
    }

    private func peers(_ met: [Met], _ served: ServedZone) throws -> Check {
        var details = own
        details.peers = met.map { peer in
            Check.Peer {
                ($0.deviceId, $0.name, $0.foundBy) = (peer.lane.hex, peer.name, peer.foundBy)
                $0.roundTripMicroseconds = peer.measure.map { Int($0.roundTrip.heldNanoseconds / 1_000) }
                $0.clockAheadMilliseconds = ahead(peer).map { Int($0.heldMilliseconds) }
            }
        }
        guard met.isEmpty else {
            return Check("peers", .ok, met.map(\.words).joined(separator: "; "), details: details)
        }
        let others = try account.devices(served, clock: node.clock).count { !$0.isThis }
        guard others > 0 else {
            return Check(
                "peers", .warning,
                "no other device of account \(account.label) is known here: as far as this one knows, "
                    + "the data exists only here",
                advice: "run kachat-node on another of your devices, on the same network, or add one: "
                    + "\(node.command("account pair", for: account)) here, `kachat-node account pair --join` there",
                details: details)
        }
        if case .waiting(.busy, _)? = node.network?.machine.state(of: account.placeID, now: now) {
            return Check(
                "peers", .warning, "account \(account.label): \(try ZoneReporter(account, of: node).report().sentence)",
                advice: "nothing if it is busy: it continues by itself; if its storage is full, make room there",
                details: details)
        }
        let (none, no) = others == 1 ? ("the other device", "not ") : ("none of the \(others) other devices", "")
        return Check(
            "peers", .warning, "\(none) of account \(account.label) is \(no)in reach",
            advice: "run kachat-node there, on the same network; if beacons do not reach it, use --peer HOST:PORT",
            details: details)
    }

    private func ahead(_ peer: Met) -> Duration? { peer.measure?.clockAhead(wall: node.clock.wall(), now: now) }

    private func clock(_ met: [Met]) -> Check {
        let compared = met.compactMap { peer in ahead(peer).map { (peer: peer, ahead: $0) } }
        guard !compared.isEmpty else {
            return Check("clock", .ok, "not compared: no device has sent its time", details: own)
        }
        let wrong = compared.filter { max($0.ahead, .zero - $0.ahead) > Limits.clockTolerance }
        guard let first = wrong.first else {
            let devices = Wording.count(compared.count, "device")
            return Check("clock", .ok, "agrees with \(devices)", details: own)
        }
        let by = Wording.duration(seconds: Double(abs(first.ahead.components.seconds)))
        let way = first.ahead > .zero ? "behind" : "ahead of"
        return Check(
            "clock", .warning, "this device's clock is \(by) \(way) that of \(first.peer.shownName)",
            advice: "set the wrong clock; no data is lost, but times and days are shown wrong",
            details: own)
    }
}
