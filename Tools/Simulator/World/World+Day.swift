import NodeCore

/// A day of a person with four devices, in random order: messages sent and received, hints before and after their
/// bodies, chain states, reading, deleting, flags, device names, a device that sleeps for days,
/// and one that is bought in the middle.
extension World {
    private static let conversations = (0..<6).map { "conversation-\($0)" }
    /// The only device that talks to the chain; the others learn from it.
    static let chainNode = 0
    /// Sleeps through the nights.
    private var sleeper: Int { 1 }
    /// Starts in the middle of the day.
    private var newcomer: Int { hosts.count - 1 }

    /// Plans the day. The new device has not been started.
    func planDay(messages: Int, until end: MonotonicTime) {
        let span = (end - now).heldNanoseconds
        func time(_ low: Double, _ high: Double) -> Duration {
            .nanoseconds(Int64(Double(span) * Double.random(in: low...high, using: &random)))
        }
        for _ in 0..<messages { plan(.day(.message), after: time(0, 0.95)) }
        for _ in 0..<messages / 2 { plan(.day(.reading), after: time(0.05, 1)) }
        for _ in 0..<messages / 8 { plan(.day(.deed), after: time(0.1, 1)) }
        plan(.restart(node: newcomer, life: hosts[newcomer].life), after: time(0.3, 0.7))
        let asleep = time(0.2, 0.4)
        plan(.day(.sleep), after: asleep)
        // The date of all machines jumps over a night.
        for night in 1...Self.nights {
            let part = Double(night) / Double(Self.nights + 1)
            plan(.day(.night), after: asleep + .nanoseconds(Int64(Double(span) * 0.4 * part)))
        }
        plan(.day(.wake), after: asleep + .nanoseconds(Int64(Double(span) * 0.4)))
    }

    private static let nights = 6

    func onDay(_ event: DayEvent) {
        switch event {
        case .message: onMessage()
        case .reading: onReading()
        case .deed: onDeed()
        case .night:
            story.add(now, "a night passes")
            for index in hosts.indices { hosts[index].wallOffset += .seconds(86_400) }
        case .sleep: putToSleep(sleeper)
        case .wake: wake(sleeper)
        }
    }

    /// A message reaches one device or several, with a push to some, and its chain state before or after it.
    private func onMessage() {
        let message = drawMessage()
        let author = Int.random(in: 0..<hosts.count, using: &random)
        func later() -> Duration { .milliseconds(Int.random(in: 0...30_000, using: &random)) }
        plan(.operation(node: author, .message(message)), after: later())
        for index in hosts.indices where index != author {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where message.isReceived: plan(.operation(node: index, .message(message)), after: later())
            case 1: plan(.operation(node: index, .hint(message)), after: later())
            default: break
            }
        }
        guard Bool.random(using: &random) else { return }
        let seconds = UInt64(message.senderSeconds)
        var score = seconds * 10 + UInt64.random(in: 0..<50, using: &random)
        func say(_ word: ChainWord, after delay: Duration) {
            plan(.operation(node: Self.chainNode, .chain(message.txid, word)), after: delay)
        }
        say(.confirmed(acceptingDaaScore: score), after: later())
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        score += UInt64.random(in: 1..<5_000, using: &random)
        let after = later() + .seconds(30)
        say(.reorged, after: after)
        guard Bool.random(using: &random) else { return }
        say(.confirmed(acceptingDaaScore: score), after: after + later())
    }

    private func onReading() {
        let reader = Int.random(in: 0..<hosts.count, using: &random)
        let conversation = Self.conversations.randomElement(using: &random) ?? ""
        plan(.operation(node: reader, .markRead(conversation: conversation)), after: .milliseconds(10))
        if Bool.random(using: &random) {
            plan(.operation(node: reader, .leave(conversation: conversation)), after: .milliseconds(500))
        }
    }

    /// An occasional action.
    private func onDeed() {
        let node = Int.random(in: 0..<hosts.count, using: &random)
        let conversation = Self.conversations.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1:
            guard let txid = ledger.offeredMessages.randomElement(using: &random) else { return }
            plan(.operation(node: node, .delete(txid)), after: .milliseconds(10))
        case 2:
            let flag = Bool.random(using: &random)
            plan(.operation(node: node, .pin(conversation: conversation, flag)), after: .milliseconds(10))
        case 3: plan(.operation(node: node, .markUnread(conversation: conversation)), after: .milliseconds(10))
        case 4:
            let name = "name \(Int.random(in: 0..<1_000, using: &random))"
            let place = Int.random(in: 0..<hosts.count, using: &random)
            plan(.operation(node: node, .rename(place: place, to: name)), after: .milliseconds(10))
        default: plan(.operation(node: node, .flush), after: .milliseconds(10))
        }
    }
}

/// The people's actions in this workload.
enum DayEvent {
    case message, reading, deed, night, sleep, wake
}
