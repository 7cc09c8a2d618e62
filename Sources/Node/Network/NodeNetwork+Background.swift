import Gossip
package import NodeCore
import SyncState
package import Transport

/// Out of sight: no listener, no beacons, no sessions, nobody is dialled, and no database is held. Only the control
/// socket and the home's lock stay, so that commands go on working and `foreground` is heard.
extension NodeNetwork {
    package var isInBackground: Bool { machine.isInBackground }

    /// Connections are closed, and the files let go.
    package var isAtRest: Bool { isInBackground && connections.isEmpty && hasLetGo }

    /// No database is held, and none will be before somebody asks for something: a node may be suspended by now, and
    /// the system ends those that hold a file meanwhile.
    package var hasLetGo: Bool {
        !isSyncCheckDue && node.zones.allSatisfy { $0.database.isResting && !$0.awaitsWriting }
    }

    /// What waits for a window's end is written now.
    package func cutWindows() {
        for zone in node.zones { zone.replicated.store.cutWindow() }
    }

    /// To be called before the turn's end, which tells the peers.
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
        // Of a handshake under way nothing can come.
        for id in order {
            guard let connection = connections[id], !connection.isEstablished, connection.closeBy == nil else {
                continue
            }
            end(connection, isFault: false, now: now)
        }
    }

    /// Closes what is still open, whether or not the last words are out.
    package func dropConnections(now: MonotonicTime) {
        for id in order {
            if let connection = connections[id] { end(connection, isFault: false, now: now) }
        }
    }

    /// Listens where it did, beacons, and asks all peers, at once. Where it is in the foreground it only asks.
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

    /// On the same port; where somebody else has it by now, on any, which the beacons tell.
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

    /// After the turn's commit: lets go of the databases in the background, takes them up in the foreground. What fails
    /// is tried again in the next turn.
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
