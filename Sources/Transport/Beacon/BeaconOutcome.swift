/// The result of sending one datagram one way.
package struct BeaconOutcome: Hashable, Sendable {
    package let way: BeaconWay
    /// Nil if it was sent.
    package let error: SystemError?
}
