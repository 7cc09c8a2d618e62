/// Counters of one way of sending on one interface. If multicasts leave and none returns, something filters them.
package struct BeaconCounters: Hashable, Sendable {
    /// Datagrams the kernel accepted.
    package internal(set) var sent: UInt64 = 0
    /// Datagrams the kernel refused, and the reason for the last one.
    package internal(set) var failed: UInt64 = 0
    package internal(set) var lastError: SystemError?
    /// Datagrams received from others.
    package internal(set) var received: UInt64 = 0
    /// Our own datagrams that came back: the group or broadcast address works here.
    package internal(set) var ownReturned: UInt64 = 0
}
