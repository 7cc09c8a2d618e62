import CLinuxShim
import Glibc

/// epoll(7), level-triggered. Descriptor and registration number travel in the event's user data, so that an event of a
/// descriptor that was closed and reused within the same turn is recognised as stale.
struct Poller: ~Copyable {
    struct Event {
        let descriptor: Int32
        let number: UInt32
        let readiness: Readiness
    }

    /// Readable while an event waits.
    let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(SystemError) {
        descriptor = try System.call("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        events = .allocate(capacity: Limits.eventsPerTurn)
        events.initialize(repeating: epoll_event())
    }

    deinit {
        events.deallocate()
        System.close(descriptor)
    }

    func add(_ target: Int32, number: UInt32, interest: Readiness) throws(SystemError) {
        try control(EPOLL_CTL_ADD, target, number, interest)
    }

    func modify(_ target: Int32, number: UInt32, interest: Readiness) throws(SystemError) {
        try control(EPOLL_CTL_MOD, target, number, interest)
    }

    func remove(_ target: Int32) throws(SystemError) {
        try System.call("epoll_ctl") { epoll_ctl(descriptor, EPOLL_CTL_DEL, target, nil) }
    }

    /// Waits for at most `milliseconds` (-1: for ever) and returns how many events `event(at:)` holds.
    func wait(milliseconds: Int32) throws(SystemError) -> Int {
        Int(
            try System.call("epoll_wait") {
                epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)
            })
    }

    func event(at index: Int) -> Event {
        let event = events[index]
        var readiness: Readiness = []
        if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { readiness.insert(.broken) }
        return Event(
            descriptor: Int32(truncatingIfNeeded: event.data.u64),
            number: UInt32(truncatingIfNeeded: event.data.u64 >> 32),
            readiness: readiness)
    }

    private func control(
        _ operation: Int32, _ target: Int32, _ number: UInt32, _ interest: Readiness
    ) throws(SystemError) {
        var event = epoll_event()
        if interest.contains(.readable) { event.events |= EPOLLIN.rawValue }
        if interest.contains(.writable) { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = UInt64(number) << 32 | UInt64(UInt32(bitPattern: target))
        try System.call("epoll_ctl") { epoll_ctl(descriptor, operation, target, &event) }
    }
}

/// The conditions a descriptor is watched for, or ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// Always reported: the descriptor failed or both directions are closed.
    package static let broken = Readiness(rawValue: 4)
}
