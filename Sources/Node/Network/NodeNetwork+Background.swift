import Chat
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

    /// No database is open, and none will be opened until a request arrives. The system may suspend the node any time,
    /// and ends processes that hold a file while suspended.
    package var hasLetGo: Bool {
        !syncChecks.isDue && node.zones.allSatisfy { $0.database.isResting && !$0.awaitsWriting }
    }

    /// Writes data that waits for the end of a window.
    package func cutWindows() {
        for zone in node.zones { zone.replicated.store.cutWindow() }
    }

    /// Call it before the turn's end, which tells the peers.
    package func enterBackground(now: MonotonicTime) {
        guard !isInBackground else { return }
        log.line(.info, "background", "nothing is sent or fetched until `foreground`")
        listeners.close()
        discovery.close()
        machine.setBackground(true, now: now, wall: node.clock.wall())
        for account in node.accounts { account.storeSyncTime() }
        connections.endHandshakes(now: now)
    }

    /// Listens at the same addresses again, sends beacons, and asks all peers, at once. If already in the foreground,
    /// it only asks.
    package func enterForeground(now: MonotonicTime) throws(Transport.SystemError) {
        if isInBackground {
            try listeners.reopen()
            log.line(.info, "foreground", "looking for devices")
            machine.setBackground(false, now: now, wall: node.clock.wall())
            discovery.restart(now: now)
        }
        lookAtIdentity(now)
        _ = syncNow(node.accounts.filter { !$0.isPaused }, now: now)
    }

    /// Runs after the turn's commit: closes the databases in the background and opens them in the foreground. Failures
    /// are retried in the next turn.
    func holdFiles() {
        for zone in node.zones where zone.database.isResting != isInBackground {
            guard zone.fault == nil, !zone.replicated.store.hasUncommitted else { continue }
            do {
                if isInBackground { try zone.rest() } else { try zone.database.wake() }
                log.over("hold-file", subject: zone.name)
            } catch {
                log.once(
                    .warning, "hold-file", subject: zone.name,
                    "\(zone.name): the database was not \(isInBackground ? "closed" : "opened"): "
                        + NodeError(cause: error).message)
            }
        }
    }
}

/// Before a node goes offline, the connected devices get its new data.
extension NodeNetwork {
    /// Cuts everything queued in these accounts and publishes their reads: durable and on its way after this turn.
    ///
    /// - Returns: number of segments cut.
    @discardableResult
    package func writeOut(_ accounts: [NodeAccount], _ now: MonotonicTime) -> Int {
        var segments = 0
        for account in accounts where account.fault == nil {
            do {
                segments += try account.zone.cut(force: true, now: now)
                try account.zone.reads.publishReads()
            } catch {
                machine.onStoreFailed(error, zone: account.placeID)
            }
        }
        return segments
    }

    /// True if each connected device holds everything durable here and requests nothing.
    package var hasHandedOver: Bool { node.accounts.allSatisfy { machine.hasHandedOver($0.placeID) } }

    /// Hands over new data, for half a second at most, and stops. A second call stops at once.
    package func depart() {
        guard departBy == nil else { return stop() }
        let now = node.clock.now()
        writeOut(node.accounts, now)
        departBy = now + Limits.handoverTime
    }

    /// Runs at the end of each turn. In the turn of `depart` itself, the peers have already been told.
    func goOnDeparting(_ now: MonotonicTime) {
        guard let departBy, hasHandedOver || now >= departBy else { return }
        stop()
    }
}
