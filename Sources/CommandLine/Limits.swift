import Commands

/// Every bound of the command line, with units and the reason for the number.
enum Limits {
    /// Answers to a question that may be wrong.
    static let attempts = 5

    /// Characters of a line that hold some words, however narrow the terminal is.
    static let leastColumns = 10

    /// Bytes of the datagram with which `doctor` tries an interface: those of the shortest beacon.
    static let probeBytes = 91

    /// Bytes of an input that are read at once.
    static let inputReadBytes = 64 << 10

    /// Lines and bytes of an input per request. The node commits 512 lines at a time before it answers.
    static let batchLines = 4_096
    static let batchBytes = 1 << 20

    /// Refused lines of an input that are shown one by one: they and the counts fit a terminal.
    static let namedRefusals = 10

    /// Content bytes of one part of an archive: damage in one place loses at most this much.
    static let archivePartBytes = 1 << 20

    /// After this long without an answer, a command asks whether the node is alive and waits as long again: more than
    /// the longest turn, which rebuilds an index.
    static let answerPatienceMilliseconds: Int32 = 10_000

    /// Up to this age a backup is fresh for `doctor`.
    static let freshBackup: Duration = .seconds(30 * 86_400)

    /// Free bytes below which `doctor` warns: some days of a busy chat.
    static let doctorFreeBytes = 64 << 20

    /// Time a command waits for a node that holds the lock but does not serve yet (it is starting or stopping).
    static let nodeStartMilliseconds = 5000
    /// And how long a command that waits gives it to take the lock.
    static let nodeBeginMilliseconds = 1000

    /// Arguments of a command line, and bytes of one.
    static let arguments = 256
    static let argumentBytes = Commands.Limits.sentArgumentBytes

    /// The interval at which `run` looks for news on a terminal.
    static let screenPause: Duration = .milliseconds(500)

    /// Seconds that a command of `notices --exec` may take before it is killed, since later notices wait for it.
    static let hookSeconds = 60

}
