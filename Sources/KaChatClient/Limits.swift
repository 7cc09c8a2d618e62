/// Every bound of the client, in one place, with units and the reason for the number.
enum Limits {
    /// The head of an answer, in bytes: the node's have a few hundred.
    static let headBytes = 64 << 10

    /// An answer that is one document, in bytes: 500 messages of 64 KiB.
    static let documentBytes = 64 << 20

    /// One line of a stream: a change names up to 25 messages.
    static let lineBytes = 1 << 20

    /// Bytes that are read off a socket at once.
    static let readBytes = 64 << 10

    /// Calls of one client that are under way at once; the others wait for their turn. A node gives one
    /// token 32 connections.
    static let calls = 16

    /// Connections that are kept for the next call.
    static let idleConnections = 4

    /// How long a call may take. Those that wait for something have that time besides.
    static let callTime: Duration = .seconds(30)

    /// How long a stream may be silent: the node shows every 15 s that it lives.
    static let streamSilence: Duration = .seconds(45)

    /// How long one question for changes waits for them, in seconds: the node allows 60.
    static let changesWaitSeconds = 30

    /// Changes in one answer: what the app loses time with where the connection breaks.
    static let changesPage = 100

    /// Between two attempts to reach a node that is not there: doubling, with up to a quarter more by chance, so that
    /// the apps of one machine do not come all at once.
    static let firstPause: Duration = .milliseconds(100)
    static let longestPause: Duration = .seconds(5)

    /// The longest pause that a node may ask for, in seconds: it asks for a minute at most.
    static let askedPauseSeconds = 60
}
