/// The means of all nodes together.
package struct Means: Hashable, Sendable, CustomStringConvertible {
    /// Of the databases' files, and of their logs.
    package var storeBytes: Int
    package var logBytes: Int
    /// Open connections of the nodes, each of which is a descriptor. Those between two nodes count twice.
    package var connections: Int
    /// Of the process; nil if others run in it, too.
    package var memoryBytes: Int?

    package var description: String {
        "stores of \(storeBytes) bytes, logs of \(logBytes), \(connections) connections"
            + (memoryBytes.map { ", \($0 >> 10) KiB of memory" } ?? "")
    }
}
