/// One end of a stream, as named by its node. Nodes give even ids to connections they open, the world odd ones to
/// accepted connections; no id is reused in one life of a node.
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
