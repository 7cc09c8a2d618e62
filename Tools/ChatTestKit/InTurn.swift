import NodeCore

/// Does two pieces of work one after the other, the second one first.
package final class InTurn: PairWorker {
    package private(set) var runs = 0

    package init() {}

    package func run(_ one: () -> Void, and other: @Sendable () -> Void) {
        runs += 1
        other()
        one()
    }
}
