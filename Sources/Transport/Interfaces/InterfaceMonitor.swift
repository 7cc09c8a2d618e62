package import NodeCore

/// Notices that interfaces or their addresses have changed, by looking every few seconds: a look costs some 50 µs, and
/// works alike on every system.
package struct InterfaceMonitor: Sendable {
    /// As they were when last looked at.
    package private(set) var interfaces: [NetworkInterface] = []
    /// When to look next.
    package private(set) var deadline: MonotonicTime

    /// The first look is due at once.
    package init(now: MonotonicTime) {
        deadline = now
    }

    /// Looks if it is time to. Nil if nothing has changed.
    package mutating func poll(
        now: MonotonicTime, list: () throws(SystemError) -> [NetworkInterface] = NetworkInterface.list
    ) throws(SystemError) -> [NetworkInterface]? {
        guard now >= deadline else { return nil }
        deadline = now + Limits.interfacePollInterval
        let present = try list()
        guard present != interfaces else { return nil }
        interfaces = present
        return present
    }
}
