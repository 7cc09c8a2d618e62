import Chat
import Gossip
import LeaderboardShare
import NodeCore
import SyncState
import Transport

/// Logs the sync: one line for events that matter to a person; at level debug also ids, counts and times for finding
/// faults.
final class SyncLog {
    private unowned let node: LocalNode
    private let machine: NodeMachine
    private let log: Log
    /// The number of records in each zone when a batch was last logged.
    private var toldRecords: [PlaceID: Int] = [:]

    init(_ node: LocalNode, _ machine: NodeMachine, _ log: Log) {
        (self.node, self.machine, self.log) = (node, machine, log)
    }

    /// Starts logging a zone.
    func begin(_ zone: any NodeZone) {
        toldRecords[zone.placeID] = zone.replicated.store.recordCount
        tellMerges(of: zone)
    }

    /// Logs each message of the account that meets another copy.
    private func tellMerges(of zone: any NodeZone) {
        guard log.tells(.debug), let account = zone as? NodeAccount else { return }
        account.zone.chat.whenMerged = { [log] in log.line(.debug, "merged", $0.sentence) }
    }

    /// Ends the machine's turn, and logs what it made durable.
    func tellBatches(_ endTurn: () -> Void) {
        guard log.tells(.debug) else { return endTurn() }
        let start = node.clock.now()
        endTurn()
        let microseconds = (node.clock.now() - start).heldNanoseconds / 1_000
        for zone in node.zones {
            let store = zone.replicated.store
            let before = toldRecords.updateValue(store.recordCount, forKey: zone.placeID) ?? 0
            guard store.recordCount != before else { continue }
            log.line(
                .debug, "batch",
                "\(zone.name): \(Wording.count(store.recordCount - before, "record")) more, "
                    + "\(store.recordCount) in all, \(store.wantedCount) blobs wanted; committed in \(microseconds) us")
        }
    }

    /// The name of the account or group in the log.
    private func name(_ id: PlaceID) -> String { node.zone(id)?.name ?? id.shortHex }

    /// Logs one note.
    func tell(_ note: SyncNote, _ zone: PlaceID) {
        switch note {
        case .connected(let lane): log.line(.info, "connected", "device \(lane.shortHex)")
        case .startedAfresh(let start):
            log.line(
                .warning, "started-afresh",
                "\(start.reason.rawValue): this device continues as \(start.new.shortHex); nothing is lost")
        case .rejected(let peer, let why):
            let who = peer?.shortHex ?? "a peer"
            log.once(.warning, "bad-record", subject: who, "refused records from \(who): \(why)")
        case .badBlob(let peer):
            let who = peer?.shortHex ?? "a peer"
            log.once(.warning, "bad-blob", subject: who, "refused bytes from \(who) that do not match their hash")
        case .alarm(let lane):
            log.once(
                .warning, "lane-differs", subject: lane.hex, "lane \(lane.shortHex) differs between devices; healing")
        case .otherVersion(let address, let version, _):
            log.once(
                .warning, "other-version", subject: address.hostText,
                "the device at \(address.hostText) speaks version \(version) of the protocol, this one "
                    + "\(Gossip.Limits.protocolVersion): update kachat-node on the older one")
        case .storeFailed:
            let fault = machine.zone(zone)?.failure.map { node.zone(zone)?.fault($0).message ?? "\($0)" }
            log.once(
                .error, "store-failed", subject: zone.hex,
                "\(name(zone)): sync paused: \(fault ?? "the store cannot be written")")
        case .accessChanged: tellAccess(to: zone)
        case .storeRecovered:
            log.over("store-failed", subject: zone.hex)
            log.line(
                .info, "store-recovered", "\(name(zone)): the store can be written again; sync continues")
        }
    }

    /// Logs that a group admitted this member, or does not accept it any more.
    private func tellAccess(to zone: PlaceID) {
        let groups = node.accounts.flatMap(\.groups)
        guard let group = groups.first(where: { $0.placeID == zone }) else { return }
        let (title, access) = (Terminal.harmless(group.title), group.zone.access)
        guard access != group.toldAccess else { return }
        group.toldAccess = access
        switch access {
        case .removed:
            log.line(.warning, "access-removed", "access to group \(title) was removed: the copy here stays readable")
        case .lapsed:
            log.line(
                .warning, "access-lapsed", "the invitation to group \(title) was revoked: join again with a new one")
        case .closed: log.line(.warning, "group-deleted", "group \(title) was closed: only a copy remains here")
        case .joining, .member, .suspended, .left: break
        }
    }
}

extension MessageMerge {
    /// The two copies, and which one is shown.
    package var sentence: String {
        "txid \(txid.hex): here \(Self.words(held)); came \(Self.words(given)); "
            + "\(isSameContent ? "same" : "different") content; shown: what \(isGivenShown ? "came" : "was here")"
    }

    private static func words(_ side: Side) -> String {
        let score = side.acceptingDaaScore.map { "\($0)" } ?? "none"
        let time = side.blockTime.map { "\($0)" } ?? "none"
        return "\(side.bodyBytes) bytes, \(side.attachments) attachments, \(side.status), score \(score), block \(time)"
    }
}
