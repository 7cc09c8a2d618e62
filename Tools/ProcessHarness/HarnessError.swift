/// Why a program could not be driven as asked.
package enum HarnessError: Error, CustomStringConvertible, Equatable {
    /// A system call failed, with the error number's text.
    case system(call: String, reason: String)
    case timedOut(waitingFor: String)
    /// The stream ended where more was expected.
    case endOfStream(of: String)

    package var description: String {
        switch self {
        case .system(let call, let reason): "\(call): \(reason)"
        case .timedOut(let what): "timed out waiting for \(what)"
        case .endOfStream(let what): "\(what) ended early"
        }
    }
}
