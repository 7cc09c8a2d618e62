package import NodeCore

/// Detects changes of interfaces or their addresses by listing them every few seconds. A listing costs some 50 µs and
/// works the same on every system.
package struct InterfaceMonitor: Sendable {
    /// The interfaces as last listed.
    package private(set) var interfaces: [NetworkInterface] = []
    /// When to list them next.
    package private(set) var deadline: MonotonicTime

    /// The first listing is due at once.
    package init(now: MonotonicTime) {
        deadline = now
    }

    /// Lists the interfaces if that is due. Nil if nothing has changed.
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
