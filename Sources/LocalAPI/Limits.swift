import NodeCore

/// The bounds of the HTTP server, with their reasons.
enum Limits {
    /// Connections to the port at once: a person's apps and a dashboard need a few, and the process may have 1,024
    /// files.
    static let connections = 256
    /// Connections by the home's socket, beside those: others on the machine may hold all of the port's.
    static let homeConnections = 64
    /// Memory of the library for one connection: a request's head, and a piece of a body.
    static let connectionBytes = 32 << 10
    /// Rounds of the library in one run: one for what is there, and those in which it finds that there is no more.
    static let rounds = 3
    /// A reader that takes nothing for so long is gone.
    static let writeStallSeconds = 30
    /// From the connection, or the answer before, until the head of the next request is here.
    static let requestTime: Duration = .seconds(30)
    /// How often connections that wait for a request are looked through, while there are any.
    static let lookInterval: Duration = .seconds(5)
    /// A piece of a streamed answer.
    static let streamBlockBytes = 16 << 10
}
