/// What became of an operation.
package enum WorkloadResult: Hashable, Sendable {
    /// Durable: it must survive from here.
    case acknowledged
    /// Valid, and there was nothing to do.
    case unchanged
    /// It could not be done now, and nothing was promised: the disk is full.
    case failed
    /// Not taken though it was valid, with the reason.
    case refused(String)
}
