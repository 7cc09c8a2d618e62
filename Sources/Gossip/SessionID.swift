/// The number of a session on this node; never used again while the node runs.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: SessionID, right: SessionID) -> Bool {
        left.number < right.number
    }

    package var description: String { "s\(number)" }
}
