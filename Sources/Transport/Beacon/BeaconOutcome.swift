/// What became of one datagram on one way.
package struct BeaconOutcome: Hashable, Sendable {
    package let way: BeaconWay
    /// Nil: it left.
    package let error: SystemError?
}
