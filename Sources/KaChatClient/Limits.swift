/// Every bound of the client, in one place, with units and the reason for the number.
enum Limits {
    /// Bytes of an answer's head: the node's have a few hundred.
    static let headBytes = 64 << 10

    /// Bytes of an answer with one document: 500 messages of 64 KiB.
    static let documentBytes = 64 << 20

    /// Pages of a list that is read whole: 500,000 rows.
    static let listPages = 1_000

    /// Bytes of one line of a stream: a change names up to 25 messages.
    static let lineBytes = 1 << 20

    /// Bytes read from a socket at once.
    static let readBytes = 64 << 10

    /// Values of an import in one request; the command line sends as many.
    static let importPartLines = 4_096
    static let importPartBytes = 1 << 20

    /// Concurrent calls of one client; further calls wait their turn. A node allows 32 connections per token.
    static let calls = 16

    /// Connections kept for later calls.
    static let idleConnections = 4

    /// Time limit of a call. A call that waits for something gets that time in addition.
    static let callTime: Duration = .seconds(30)

    /// Time limit of silence on a stream: the node sends a sign of life every 15 s.
    static let streamSilence: Duration = .seconds(45)

    /// Seconds that one request for changes waits: the node allows 60.
    static let changesWaitSeconds = 30

    /// Changes in one answer. An app reads them again if the connection breaks.
    static let changesPage = 100

    /// Between two attempts to reach a node that is not there: doubling, with up to a quarter more by chance, so that
    /// the apps of one machine do not come all at once.
    static let firstPause: Duration = .milliseconds(100)
    static let longestPause: Duration = .seconds(5)

    /// The longest pause that a node may ask for, in seconds: it asks for a minute at most.
    static let askedPauseSeconds = 60
}
