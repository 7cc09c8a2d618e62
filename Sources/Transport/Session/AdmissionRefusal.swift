/// Why a connection was closed before or instead of a session.
package enum AdmissionRefusal: Int, Error, CaseIterable, Sendable {
    /// Too many connections that have proved nothing yet.
    case tooManyHalfOpen
    /// Too many such connections from that address.
    case tooManyFromAddress
    /// All sessions are taken.
    case tooManySessions
}
