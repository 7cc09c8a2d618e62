import NodeCore
import SyncState

/// Registers that came or went since the last commit, whether or not their rows are still held.
struct HeardRegisters<Subject: Hashable & Comparable, Content> {
    private var bySubject: [Subject: [(lane: LaneID, content: Content)]] = [:]

    mutating func note(_ content: Content, about subject: Subject, _ lane: LaneID) {
        bySubject[subject, default: []].append((lane, content))
    }

    /// The subject is to be looked at although no register came.
    mutating func note(_ subject: Subject) { bySubject[subject, default: []] += [] }

    mutating func takeFirst() -> (subject: Subject, said: [(lane: LaneID, content: Content)])? {
        guard let subject = bySubject.keys.min(), let said = bySubject.removeValue(forKey: subject) else { return nil }
        return (subject, said)
    }
}

extension AccountContext {
    /// What lanes said that say nothing there any more, since they are retired or lost the row: this node says it from
    /// now on. What came later in a forked lane was not written by who knew what it replaced.
    func homeless<Content>(
        _ said: [(lane: LaneID, content: Content)], besides held: [(lane: LaneID, content: Content)]
    ) -> [Content] {
        let lanes = Set(held.map(\.lane))
        return said.filter { !lanes.contains($0.lane) || store.lane($0.lane)?.isForked == true }.map(\.content)
    }
}
