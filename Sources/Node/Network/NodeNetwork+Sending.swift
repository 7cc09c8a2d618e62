package import Gossip
import LeaderboardShare
package import NodeCore
import SyncState
import Transport

/// Performs the machine's actions, and sends the resulting bytes. Runs only after the turn's commit.
extension NodeNetwork {
    package func perform(_ actions: [NodeAction], now: MonotonicTime) {
        for action in actions {
            switch action {
            case .beacon(let bytes, let link): send(bytes, on: link)
            case .dial(let door, let address): dial(door, address, now: now)
            case .send(let id, let bytes, let priority): connections[id]?.session.enqueue(bytes, priority: priority)
            case .close(let id, let reason): close(id, reason, now: now)
            case .remember(let place, let address): zone(place)?.remember(address)
            // Handled where pending joins are stored.
            case .news: break
            case .note(let place, let note): tell(note, place)
            }
        }
    }

    private func send(_ bytes: [UInt8], on link: PresenceLink) {
        guard let beacons else { return }
        let outcomes = beacons.send(bytes, from: link.address, on: link.interfaceIndex)
        beaconBytes += UInt64(bytes.count * outcomes.count { $0.error == nil })
        let subject = "\(link.interfaceIndex)"
        if let error = outcomes.compactMap(\.error).first, outcomes.allSatisfy({ $0.error != nil }) {
            log.once(.warning, "beacon", subject: subject, "beacons do not leave by \(link.address.hostText): \(error)")
        } else {
            log.over("beacon", subject: subject)
        }
    }

    /// The machine has finished with the session: its last messages are sent, with some time for that.
    private func close(_ id: SessionID, _ reason: CloseReason, now: MonotonicTime) {
        guard let connection = connections[id] else { return }
        connection.closeBy = now + Limits.lastWordsTimeout
        if case .violation(let what) = reason {
            log.once(
                .warning, "peer-violation", subject: connection.address.hostText,
                "closed the session with \(connection.address): \(what)")
        }
    }

    /// Writes to the sockets. True if more could be produced at once for a peer that accepts it.
    package func flush(_ now: MonotonicTime) -> Bool {
        var isBusy = false
        for id in order {
            guard let connection = connections[id], connection.stream.isOpen else { continue }
            connection.session.setExpectingData(machine.isExpecting(id), now: now)
            if flush(connection, now) { isBusy = true }
            if connection.closeBy != nil, connection.waitingBytes == 0 { end(connection, isFault: false, now: now) }
        }
        return isBusy
    }

    /// Sends a bounded amount to one peer, so that the others get their share.
    private func flush(_ connection: PeerConnection, _ now: MonotonicTime) -> Bool {
        var room = Limits.sentBytesPerTurn
        while room > 0 {
            refill(connection, now)
            if connection.output.count < Limits.outputBytes {
                connection.session.drain(upTo: Limits.outputBytes, into: &connection.output)
            }
            guard !connection.output.isEmpty else { return false }
            do throws(Transport.SystemError) {
                let sent = try connection.stream.write(&connection.output)
                connection.session.noteSent(sent, waiting: connection.output.count, now: now)
                room -= sent
            } catch {
                end(connection, isFault: false, now: now)
                return false
            }
            // The socket is full: it reports when it accepts more.
            if !connection.output.isEmpty { return false }
        }
        return connection.session.hasOutput || machine.isServing(connection.id)
    }

    /// Produces more of the data requested by the peer, while little is waiting.
    private func refill(_ connection: PeerConnection, _ now: MonotonicTime) {
        guard connection.closeBy == nil, connection.waitingBytes < Limits.refillBelowBytes,
            machine.isServing(connection.id)
        else { return }
        machine.produce(on: connection.id, budgetBytes: Limits.refillBytes, now: now)
        perform(machine.takeActions(), now: now)
    }

    /// The user's name for the account or the group, for the log.
    private func name(_ id: PlaceID) -> String { zone(id)?.name ?? id.shortHex }

    /// One log line for a note.
    private func tell(_ note: SyncNote, _ zone: PlaceID) {
        switch note {
        case .connected(let lane): log.line(.info, "connected", "device \(lane.shortHex)")
        case .startedAfresh(let start):
            log.line(
                .warning, "started-afresh",
                "\(start.reason.rawValue): this device goes on as \(start.new.shortHex), nothing is lost")
        case .rejected(let peer, let why):
            let who = peer?.shortHex ?? "a peer"
            log.once(.warning, "bad-record", subject: who, "refused records of \(who): \(why)")
        case .badBlob(let peer):
            let who = peer?.shortHex ?? "a peer"
            log.once(.warning, "bad-blob", subject: who, "refused bytes of \(who) that do not match their hash")
        case .healed(let lane): log.line(.info, "healed", "lane \(lane.shortHex) agrees again")
        case .alarm(let lane):
            log.once(
                .warning, "lane-differs", subject: lane.hex, "lane \(lane.shortHex) differs between devices; healing")
        case .otherVersion(let address, let version, _):
            log.once(
                .warning, "other-version", subject: address.hostText,
                "the device at \(address.hostText) speaks version \(version) of the protocol, this one "
                    + "\(protocolVersion): update kachat-node on the older one")
        case .storeFailed:
            let fault = machine.zone(zone)?.failure.map { self.zone(zone)?.fault($0).message ?? "\($0)" }
            log.once(
                .error, "store-failed", subject: zone.hex,
                "\(name(zone)): sync paused: \(fault ?? "the store cannot be written")")
        case .accessChanged: tellAccess(to: zone)
        case .storeRecovered:
            log.over("store-failed", subject: zone.hex)
            log.line(
                .info, "store-recovered", "\(name(zone)): the store can be written again; sync goes on")
        }
    }

    /// A group admitted this member, or no longer knows it.
    private func tellAccess(to zone: PlaceID) {
        let groups = node.accounts.flatMap(\.groups)
        guard let group = groups.first(where: { $0.placeID == zone }) else { return }
        let title = Terminal.harmless(group.title)
        switch group.zone.access {
        case .removed:
            log.line(.warning, "access-removed", "access removed from group \(title): what was here stays readable")
        case .lapsed:
            log.line(
                .warning, "access-lapsed", "the invitation to group \(title) was withdrawn: another one lets in again")
        case .closed: log.line(.warning, "group-deleted", "group \(title) was deleted: this is a copy from now on")
        case .joining, .member, .suspended, .left: break
        }
    }
}
