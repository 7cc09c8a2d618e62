import NodeCore

/// The bounds of the HTTP server, with their reasons.
enum Limits {
    /// Connections that have to go and that the library has not closed yet: it does so once in each turn, in which few
    /// come.
    static let closingConnections = 64
    /// Memory of the library for one connection: a request's head, and a piece of a body.
    static let connectionBytes = 32 << 10
    /// Rounds of the library in one run: one for what is there, and those in which it finds that there is no more.
    static let rounds = 3
    /// A reader that takes nothing for so long is gone.
    static let writeStallSeconds = 30
    /// A piece of a streamed answer.
    static let streamBlockBytes = 16 << 10
}
