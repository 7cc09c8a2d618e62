import Chat
import Gossip
package import NodeCore
import SyncState

/// Before a node goes offline, the connected devices get its new data.
extension NodeNetwork {
    /// Publishes reads, and cuts everything queued: durable and on its way after this turn.
    ///
    /// - Returns: number of segments cut.
    package func writeOut(_ now: MonotonicTime) -> Int {
        var segments = 0
        for account in node.accounts where account.fault == nil {
            do {
                segments += try account.zone.cut(force: true, now: now)
                try account.zone.reads.publishReads()
            } catch {
                machine.onStoreFailed(error, zone: account.placeID)
            }
        }
        return segments
    }

    /// Cuts everything queued in an account: durable and on its way after this turn.
    func cutQueue(of account: NodeAccount, _ now: MonotonicTime) {
        guard account.fault == nil else { return }
        do {
            try account.zone.cut(force: true, now: now)
        } catch {
            machine.onStoreFailed(error, zone: account.placeID)
        }
    }

    /// True if each connected device holds everything durable here and requests nothing.
    package var hasHandedOver: Bool { node.accounts.allSatisfy { machine.hasHandedOver($0.placeID) } }

    /// Hands over new data, for half a second at most, and stops. A second call stops at once.
    package func depart() {
        guard departBy == nil else { return stop() }
        let now = node.clock.now()
        _ = writeOut(now)
        departBy = now + Limits.handoverTime
    }

    /// Runs at the end of each turn. In the turn of `depart` itself, the peers have been told by now.
    func goOnDeparting(_ now: MonotonicTime) {
        guard let departBy, hasHandedOver || now >= departBy else { return }
        stop()
    }
}
