/// Counts of the events of a run.
struct Tallies: Hashable {
    var events = 0
    var turns = 0
    var crashes = 0
    var partitions = 0
    var moves = 0
    var clockJumps = 0
    var fullDisks = 0
    var failed = 0
    var datagrams = 0
    var datagramBytes = 0
    var streams = 0
    var brokenStreams = 0
    var streamBytes = 0
    var corruptions = 0
    var acknowledged = 0
    var unchanged = 0
}
