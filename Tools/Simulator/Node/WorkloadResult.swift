/// The result of an operation.
package enum WorkloadResult: Hashable, Sendable {
    /// Durable: it must survive from now on.
    case acknowledged
    /// Valid, with nothing to do.
    case unchanged
    /// It could not be done now, and nothing was promised: the disk is full.
    case failed
    /// Refused although it was valid, with the reason.
    case refused(String)
}
