import Chat
import Commands
import SyncState

/// Every bound of the node's shells, in one place, with units and the reason for the number.
enum Limits {

    /// Bytes of an input that are read at once.
    static let inputReadBytes = 64 << 10

    /// Lines and bytes of an input that go in one request: the node commits them before it answers, 512 at a time.
    static let batchLines = 4_096
    static let batchBytes = 1 << 20

    /// Content of one part of an archive, in bytes: what a damaged place can take with it.
    static let archivePartBytes = 1 << 20

    /// After so long without a word from the node a command asks whether it lives, and waits as long for an answer:
    /// more than the longest turn, which derives an index anew.
    static let answerPatienceMilliseconds: Int32 = 10_000

    /// Age up to which `doctor` takes a backup for fresh.
    static let freshBackup: Duration = .seconds(30 * 86_400)

    /// Free bytes below which `doctor` warns: some days of a busy chat.
    static let doctorFreeBytes = 64 << 20

    /// How long a command waits for a node that holds the lock but does not serve yet (it is starting or stopping).
    static let nodeStartMilliseconds = 5000

    /// Arguments of a command line, and bytes of one.
    static let arguments = 256
    static let argumentBytes = Commands.Limits.sentArgumentBytes

    /// Seconds that a command of `events --exec` may take before it is killed: the next ones wait for it.
    static let hookSeconds = 60

}
