/// One end of a stream, as its node names it. Ids that a node gives to connections it opens are even, those that the
/// world gives to accepted ones are odd; none is used twice in one life of a node.
package struct ConnectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.number < right.number
    }

    package var description: String { "c\(number)" }
}
