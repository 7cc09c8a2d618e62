import NodeCore
import SyncState

/// Chooses the session that closes in favour of a newcomer, when all places are taken.
///
/// It belongs to a zone with at least an equal share of all sessions: the newcomer's own zone if that has one. The
/// session whose ends have been equal for longest loses least. If all are fetching or differ, it is the latest session
/// of the party that has most (a member in a group, a device in an account). In the newcomer's own zone only one of
/// several closes, so that nobody keeps others out by asking without end, or with ever new devices.
struct Displacement {
    let zones: [ServedZone]
    /// Sessions whose ends are equal, in the order in which they became so.
    let longestSynced: [SessionID]
    let newcomer: SessionID
    /// The newcomer's place.
    let own: PlaceID?

    /// Nil if none is to close.
    var session: SessionID? {
        let live = zones.reduce(0) { $0 + $1.sync.peers.count }
        let crowded = zones.filter { $0.sync.peers.count * zones.count >= live }
        let isOwnCrowded = crowded.contains { $0.id == own }
        let giving = crowded.filter { ($0.id == own || !isOwnCrowded) && $0.failure == nil }
        let idle = longestSynced.first { id in
            id != newcomer && giving.contains { $0.sync.sessions[id]?.party(in: $0.sync.zone) != nil }
                && giving.allSatisfy { !$0.sync.isBusy(id) }
        }
        return idle ?? greediest(in: giving, mustHaveSeveral: isOwnCrowded)
    }

    /// The latest session of the party that has most of them, counting the newcomer's.
    private func greediest(in zones: [ServedZone], mustHaveSeveral: Bool) -> SessionID? {
        let sessions = zones.flatMap { served in
            served.sync.sessionIDs.compactMap { id in
                served.sync.sessions[id]?.party(in: served.sync.zone).map { (session: id, party: $0) }
            }
        }
        let counts = Dictionary(grouping: sessions, by: \.party).mapValues(\.count)
        let most = sessions.filter { $0.session != newcomer }
            .max { (counts[$0.party] ?? 0, $0.session) < (counts[$1.party] ?? 0, $1.session) }
        return most.flatMap { !mustHaveSeveral || counts[$0.party] ?? 0 > 1 ? $0.session : nil }
    }
}
