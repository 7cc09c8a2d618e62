/// What became of beacons, for `doctor` and the dashboard.
package struct PresenceStatistics: Hashable, Sendable {
    /// Counts of one interface: a multicast that leaves and never returns is a filter in the way.
    package struct Link: Hashable, Sendable {
        package internal(set) var sent = 0
        package internal(set) var suppressed = 0
        package internal(set) var ownReturned = 0
        package internal(set) var recognised = 0
    }

    package internal(set) var recognised = 0
    package internal(set) var strangers = 0
    /// Wrong length or version.
    package internal(set) var malformed = 0
    /// A counter that was not higher than one seen: doubled, overtaken or replayed.
    package internal(set) var stale = 0
    /// Not looked at, since the budget for hashes or the source's share was used up.
    package internal(set) var overBudget = 0
}
