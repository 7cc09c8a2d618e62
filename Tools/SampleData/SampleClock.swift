/// The times of a made-up history: days apart, with busy minutes.
struct SampleClock {
    private(set) var seconds: Int64
    private var messagesInSecond: Int64 = 0

    init(startSeconds: Int64) {
        seconds = startSeconds
    }

    /// Distinct for each message: those of one second are 37 ms apart.
    var blockTime: Int64 { seconds * 1_000 + messagesInSecond * 37 }

    mutating func startDay(_ random: inout SampleRandom) {
        let day: Int64 = 86_400
        seconds = (seconds / day + 8 + Int64(random.below(17))) * day + Int64(random.below(20)) * 60
        messagesInSecond = -1
    }

    /// Most messages are in the same minute as the previous one.
    mutating func advance(_ random: inout SampleRandom) {
        if random.below(8) == 0 {
            seconds += 60 * Int64(1 + random.below(10) / 9)
            messagesInSecond = 0
        } else {
            messagesInSecond += 1
        }
    }
}
