/// A made-up chat history with the shape of a real one: one busy channel with four fifths of the messages, more than a
/// thousand conversations with single persons (the median has three messages), some forty busy days within one and a
/// half years, several messages per minute, a third of them sent by the owner.
///
/// The same arguments give the same history in every process, byte for byte.
package struct SampleChat: Sendable {
    package var seed: UInt64
    package var messageCount: Int
    package var conversationCount: Int
    package var devices: [String]
    /// Shifts the whole history; seconds.
    package var laterBySeconds: Int64 = 0

    package static let channel = "#lobby"

    /// - Parameters:
    ///   - messageCount: at least `conversationCount`, so that each conversation has a message.
    ///   - conversationCount: including the channel; at least 1.
    package init(
        seed: UInt64 = 1, messageCount: Int = 40_000, conversationCount: Int = 1_212,
        devices: [String] = ["phone", "laptop", "tablet"]
    ) {
        precondition(conversationCount >= 1 && messageCount >= conversationCount, "each conversation has a message")
        precondition(!devices.isEmpty, "somebody has to see the messages")
        self.seed = seed
        self.messageCount = messageCount
        self.conversationCount = conversationCount
        self.devices = devices
    }

    /// All messages, earliest first.
    package func messages() -> [SampleMessage] {
        var random = SampleRandom(seed: seed)
        let talk = SampleTalk(random: &random)
        let people = names(&random)
        var clock = SampleClock(startSeconds: 1_104_000_000 + laterBySeconds)
        var messages: [SampleMessage] = []
        messages.reserveCapacity(messageCount)
        for day in days(&random) {
            clock.startDay(&random)
            for conversation in day {
                clock.advance(&random)
                let isChannel = conversation == 0
                let contact = isChannel ? people[random.below(people.count)] : people[conversation]
                messages.append(
                    SampleMessage(
                        txid: Self.txid(&random),
                        conversationID: isChannel ? Self.channel : contact,
                        contact: contact,
                        isSent: random.below(100) < 35,
                        senderTs: clock.seconds,
                        blockTime: clock.blockTime,
                        acceptingDaaScore: UInt64(clock.seconds) * 10,
                        body: talk.line(&random),
                        device: devices[random.below(devices.count)]))
            }
        }
        return messages
    }

    /// Distinct names; the first one belongs to no conversation, but to the channel's place.
    private func names(_ random: inout SampleRandom) -> [String] {
        var taken: Set<String> = []
        var names: [String] = []
        let count = conversationCount * 2
        while names.count < count {
            var name = SampleTalk.name(&random)
            while !taken.insert(name).inserted { name += String(random.below(10)) }
            names.append(name)
        }
        return names
    }

    /// The conversation of each message, by day. A conversation with a person takes place on one day.
    private func days(_ random: inout SampleRandom) -> [[Int]] {
        let dayCount = max(1, messageCount / 1_176)
        var days = [[Int]](repeating: [], count: dayCount)
        var left = messageCount
        let persons = conversationCount - 1
        // Every person has one message; a fifth of the history beyond that goes mostly to few persons.
        let spare = min(messageCount - conversationCount, max(0, messageCount / 5 - persons))
        let harmonic = (0..<max(persons, 1)).reduce(0.0) { $0 + 1 / Double($1 + 20) }
        for person in 0..<persons {
            let share = Double(spare) / (Double(person + 20) * harmonic)
            let count = 1 + Int(share)
            days[person % dayCount] += repeatElement(person + 1, count: count)
            left -= count
        }
        for index in 0..<left { days[index % dayCount].append(0) }
        for index in days.indices { days[index].shuffle(using: &random) }
        return days
    }

    private static func txid(_ random: inout SampleRandom) -> [UInt8] {
        (0..<4).flatMap { _ in withUnsafeBytes(of: random.next().bigEndian) { Array($0) } }
    }
}
