import Chat
import Gossip
package import NodeCore
import SyncState

/// Before a node falls silent, the connected devices get what is new here.
extension NodeNetwork {
    /// Publishes what was read, and cuts all that is queued: durable, and on its way, after this turn.
    ///
    /// - Returns: the segments cut.
    package func writeOut(_ now: MonotonicTime) -> Int {
        var segments = 0
        for account in node.accounts where account.fault == nil {
            do {
                segments += try account.zone.cut(force: true, now: now)
                try account.zone.publishReads()
            } catch {
                machine.onStoreFailed(error, zone: account.placeID)
            }
        }
        return segments
    }

    /// Cuts all that an account has queued: durable, and on its way, after this turn.
    func cutQueue(of account: NodeAccount, _ now: MonotonicTime) {
        guard account.fault == nil else { return }
        do {
            try account.zone.cut(force: true, now: now)
        } catch {
            machine.onStoreFailed(error, zone: account.placeID)
        }
    }

    /// Whether each connected device holds what is durable here, and asks for nothing.
    package var hasHandedOver: Bool { node.accounts.allSatisfy { machine.hasHandedOver($0.placeID) } }

    /// Hands over what is new here, for half a second at most, and ends. Asked again, it ends at once.
    package func depart() {
        guard departBy == nil else { return stop() }
        let now = node.clock.now()
        _ = writeOut(now)
        departBy = now + Limits.handoverTime
    }

    /// At the end of each turn: in that of `depart` the peers have been told by now.
    func goOnDeparting(_ now: MonotonicTime) {
        guard let departBy, hasHandedOver || now >= departBy else { return }
        stop()
    }
}
