/// What became of an operation.
package enum WorkloadResult: Hashable, Sendable {
    /// Durable: it must survive from here.
    case acknowledged
    /// Valid, and there was nothing to do.
    case unchanged
    /// Not taken, with the reason.
    case refused(String)
}
