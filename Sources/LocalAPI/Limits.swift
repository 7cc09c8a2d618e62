/// The bounds of the HTTP server, with their reasons.
enum Limits {
    /// Connections that must close and that the library has not closed yet. It closes them once per turn, and few
    /// arrive in one turn.
    static let closingConnections = 64
    /// Memory the library may use for one connection: the request's head and a piece of its body.
    static let connectionBytes = 32 << 10
    /// Passes of the library in one run: one for the work at hand, the others to find that nothing is left.
    static let rounds = 3
    /// A reader that accepts no data for this long is considered gone.
    static let writeStallSeconds = 30
    /// A refused request's body up to this length is read before the refusal is sent.
    static let refusedBodyBytes = 64 << 10
    /// Size of one piece of a streamed answer.
    static let streamBlockBytes = 16 << 10
}
