package import NodeCore

/// Where the zones stand.
extension NodeMachine {
    package func state(of zone: ZoneID, now: MonotonicTime) -> ZoneState {
        self.zone(zone)?.state(dialer, now: now) ?? .idle
    }

    /// A device went away since the last look.
    package var hasUnnotedEnds: Bool { zones.contains(where: \.hasUnnotedEnd) }

    /// Looks where each zone stands, and gives those whose state changed. At the shell's pace, some twenty times a
    /// second: after each turn it would cost more than the turn.
    package func noteStates(now: MonotonicTime, wall: WallTime) -> [ZoneID] {
        zones.filter { $0.noteState(dialer, now: now, wall: wall) }.map(\.id)
    }
}
