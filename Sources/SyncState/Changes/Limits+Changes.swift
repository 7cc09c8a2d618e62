extension Limits {
    /// Entries of a change feed that are kept: at some 100 bytes each, 10 MB.
    package static let keptChanges: UInt64 = 100_000
    /// How long an entry is kept, so that an app that is opened once a week need not read everything anew.
    package static let keptChangesFor = Duration.seconds(7 * 86_400)
    /// Entries written between two looks for what is too old.
    static let changesBetweenPrunes: UInt64 = 256
    /// Changes of one kind about one thing become one event in this time: below what a person notices.
    package static let changeWindow = Duration.milliseconds(250)
    /// Messages that one event names; of more it tells the number. A segment that arrives has no more.
    package static let namedMessages = segmentMessages
    /// Messages of one turn that get an event each; what is more comes in groups.
    static let singleChanges = 25
    /// While no more blobs are wanted, the messages of those that arrive are looked at one by one.
    static let wantedWhileLive = 32
    /// Bytes of the ids of an event: all named messages.
    static let changeAboutBytes = namedMessages * 32
    /// Rows of one reading of the feed.
    package static let readChanges = 1_000
}
