package import NodeCore

/// Where the zones stand.
extension NodeMachine {
    package func state(of zone: ZoneID, now: MonotonicTime) -> ZoneState {
        self.zone(zone)?.state(dialer, now: now) ?? .idle
    }

    /// Looks where each zone stands, and gives those whose state changed. At the shell's pace, some twenty times a
    /// second: after each turn it would cost more than the turn.
    package func noteStates(now: MonotonicTime, wall: WallTime) -> [ZoneID] {
        zones.filter { $0.noteState(dialer, now: now, wall: wall) }.map(\.id)
    }
}
