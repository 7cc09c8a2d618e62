package import NodeCore

/// Looks at something at most so often. A turn that comes too soon after a look is made up for by a later one, so the
/// last change is always seen.
package struct Lookout {
    private let pause: Duration
    private var next = MonotonicTime.zero
    /// A turn came too soon after the last look.
    package private(set) var isDue = false

    package init(every pause: Duration) { self.pause = pause }

    /// The time at which a turn is needed even if nothing arrives.
    package var deadline: MonotonicTime? { isDue ? next : nil }

    /// True if this turn looks.
    package mutating func isTime(_ now: MonotonicTime) -> Bool {
        isDue = now < next
        if !isDue { next = now + pause }
        return !isDue
    }
}
