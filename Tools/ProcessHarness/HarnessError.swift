/// The reasons that a program could not be driven as requested.
package enum HarnessError: Error, CustomStringConvertible, Equatable {
    /// A system call failed, with the error's text.
    case system(call: String, reason: String)
    case timedOut(waitingFor: String)
    /// The stream ended although more was expected.
    case endOfStream(of: String)

    package var description: String {
        switch self {
        case .system(let call, let reason): "\(call): \(reason)"
        case .timedOut(let what): "timed out waiting for \(what)"
        case .endOfStream(let what): "\(what) ended early"
        }
    }
}
