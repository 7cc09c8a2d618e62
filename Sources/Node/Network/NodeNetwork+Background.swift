import Gossip
package import NodeCore
import SyncState
package import Transport

/// The background state: no listener, beacons, sessions or dialling, and no open database. Only the control socket and
/// the home's lock stay, so that commands keep working and `foreground` is received.
extension NodeNetwork {
    package var isInBackground: Bool { machine.isInBackground }

    /// All connections are closed and the files released.
    package var isAtRest: Bool { isInBackground && connections.isEmpty && hasLetGo }

    /// No database is held, and none will be until a request comes in: the node may be suspended any time, and the
    /// system ends processes that hold a file meanwhile.
    package var hasLetGo: Bool {
        !isSyncCheckDue && node.zones.allSatisfy { $0.database.isResting && !$0.awaitsWriting }
    }

    /// Writes data that waits for the end of a window.
    package func cutWindows() {
        for zone in node.zones { zone.replicated.store.cutWindow() }
    }

    /// Call it before the turn's end, which tells the peers.
    package func enterBackground(now: MonotonicTime) {
        guard !isInBackground else { return }
        log.line(.info, "background", "nothing is sent or fetched until `foreground`")
        closedListeners = listeners.map(\.address)
        for listener in listeners { listener.close() }
        listeners = []
        beacons?.close()
        beacons = nil
        machine.setBackground(true, now: now, wall: node.clock.wall())
        for account in node.accounts { account.storeSyncTime() }
        // Nothing useful can come of an unfinished handshake.
        for id in order {
            guard let connection = connections[id], !connection.isEstablished, connection.closeBy == nil else {
                continue
            }
            end(connection, isFault: false, now: now)
        }
    }

    /// Closes all remaining connections, whether or not their last messages were sent.
    package func dropConnections(now: MonotonicTime) {
        for id in order {
            if let connection = connections[id] { end(connection, isFault: false, now: now) }
        }
    }

    /// Listens at the same addresses again, sends beacons, and asks all peers, at once. If already in the foreground,
    /// it only asks.
    package func enterForeground(now: MonotonicTime) throws(Transport.SystemError) {
        if isInBackground {
            try listenAgain()
            log.line(.info, "foreground", "looking for devices")
            machine.setBackground(false, now: now, wall: node.clock.wall())
            monitor = InterfaceMonitor(now: now)
            pollInterfaces(now)
        }
        lookAtIdentity(now)
        _ = syncNow(node.accounts.filter { !$0.isPaused }, now: now)
    }

    /// On the same port; if that has been taken, on any other, which the beacons announce.
    private func listenAgain() throws(Transport.SystemError) {
        guard let first = closedListeners.first else { return }
        do {
            try listen(on: first)
        } catch  where error.isAddressInUse {
            try listen(on: first.with(port: 0))
        }
        let port = listeners.first?.address.port ?? first.port
        // As at the start: a machine without IPv6 does without.
        for address in closedListeners.dropFirst() { try? listen(on: address.with(port: port)) }
        closedListeners = []
    }

    /// Runs after the turn's commit: releases the databases in the background, and takes them back in the foreground.
    /// Failures are retried in the next turn.
    func holdFiles() {
        for zone in node.zones where zone.database.isResting != isInBackground {
            guard zone.fault == nil, !zone.replicated.store.hasUncommitted else { continue }
            do {
                if isInBackground { try zone.rest() } else { try zone.database.wake() }
                log.over("hold-file", subject: zone.name)
            } catch {
                log.once(
                    .warning, "hold-file", subject: zone.name,
                    "\(zone.name): the database was not \(isInBackground ? "let go" : "taken up"): "
                        + NodeError(cause: error).message)
            }
        }
    }
}
