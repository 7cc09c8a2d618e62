/// What happened on one interface by one way: a multicast that leaves and never returns has a filter in its way.
package struct BeaconCounters: Hashable, Sendable {
    /// Datagrams that the kernel took.
    package internal(set) var sent: UInt64 = 0
    /// Datagrams that it refused, and why the last one.
    package internal(set) var failed: UInt64 = 0
    package internal(set) var lastError: SystemError?
    /// Datagrams of others.
    package internal(set) var received: UInt64 = 0
    /// Own datagrams that came back: the group or the broadcast address works here.
    package internal(set) var ownReturned: UInt64 = 0
}
