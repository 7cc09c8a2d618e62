import ChatTestKit
import NodeCore
import SyncState
import TestScale
import Testing

@testable import Chat

/// The number of records that reading costs.
@Suite struct ReadMarkerDayTests {
    @Test func aHundredMarksWhileScrollingPublishOneRecord() throws {
        let phone = try TestZone(device: 1)
        for number: UInt64 in 1...100 { try phone.archive(.sample(number, score: number)) }
        #expect(try phone.writtenMarks() == 0)
        var now = MonotonicTime.zero
        for number: UInt64 in 1...100 {
            // The longest pause is just short of the time of quiet.
            now += number % 10 == 0 ? .milliseconds(14_999) : .milliseconds(140)
            try phone.zone.work(now: now)
            #expect(try phone.mark(upTo: number, now: now))
            #expect(try phone.unread() == 100 - Int(number))
        }
        #expect(try phone.writtenMarks() == 0)
        let due = try #require(phone.zone.reads.publishDeadline)
        #expect(due == now + .seconds(15))
        try phone.zone.work(now: now + .milliseconds(14_999))
        #expect(try phone.writtenMarks() == 0)
        try phone.zone.work(now: due)
        #expect(try phone.writtenMarks() == 1)
        #expect(phone.zone.reads.publishDeadline == nil)
        // Marking again what is read is no news, nor is leaving.
        #expect(try !phone.mark(upTo: 100, now: due))
        try phone.zone.reads.leave("bob")
        try phone.zone.work(now: due + .seconds(3_600))
        #expect(try phone.writtenMarks() == 0)
        #expect(try phone.zone.reads.livePosition("bob") == phone.zone.chat.reads.position(of: "bob"))
    }

    @Test func marksOfOthersThatComeWhileScrollingPublishNothing() throws {
        let (phone, laptop) = (try TestZone(device: 1), try TestZone(device: 2))
        for number: UInt64 in 1...30 { try phone.archive(.sample(number, score: number)) }
        try phone.meet(laptop)
        for number: UInt64 in 1...10 {
            try laptop.mark(upTo: number)
            try laptop.zone.reads.leave("bob")
            try laptop.zone.commit()
            try phone.mark(upTo: number + 20)
            // Each mark replaces the one before.
            try phone.take(from: laptop)
        }
        #expect(try laptop.writtenMarks() == 10)
        #expect(try phone.writtenMarks() == 0)
        try phone.zone.reads.leave("bob")
        #expect(try phone.writtenMarks() == 1)
        try laptop.take(from: phone)
        #expect(try laptop.unread() == 0)
        #expect(try laptop.writtenMarks() == 0)
    }

    @Test func whatAnotherDeviceShowsIsNotPublishedAgain() throws {
        let (phone, laptop) = (try TestZone(device: 1), try TestZone(device: 2))
        for number: UInt64 in 1...3 { try phone.archive(.sample(number, score: number)) }
        try phone.meet(laptop)
        try phone.mark()
        try laptop.mark()
        try phone.zone.reads.leave("bob")
        try laptop.take(from: phone)
        try laptop.zone.reads.publishReads()
        #expect(try phone.writtenMarks() == 1)
        #expect(try laptop.writtenMarks() == 0)
        // The time of quiet that was set also holds for marks from archives.
        laptop.zone.policy.quiet = .seconds(60)
        let message = ChatMessage.sample(4, conversation: "ann", score: 4)
        try laptop.archive(message)
        let marker = ReadMarker(conversationID: "ann", bounds: [ReadBound(message)], readAt: .day(0))
        #expect(try laptop.zone.reads.adoptRead(marker, now: .zero))
        #expect(laptop.zone.reads.publishDeadline == .zero + .seconds(60))
    }

    /// Thirty talks in ten conversations, five of which are read on two devices before they hear of each other.
    @Test(arguments: 1...TestScale.of(usual: 1, proof: 3) as ClosedRange<UInt64>) func aDayOfReadingWritesFewRecords(
        seed: UInt64
    ) throws {
        var day = try ReadingDay(seed: seed)
        try day.run()
        #expect(day.visits > 150 && day.marks > 500)
        #expect(day.records <= 35, "\(day.visits) visits, \(day.marks) marks, \(day.doubleReads) at once")
        for device in day.devices {
            let list = try device.zone.chat.conversationList()
            #expect(list.count == 10 && list.allSatisfy { $0.unread == 0 })
        }
    }
}

/// Three devices from seven in the morning to eleven at night, in virtual time.
private struct ReadingDay {
    let devices: [TestZone]
    private var random: SeededRandom
    private var now = MonotonicTime.zero
    private var newest: UInt64 = 0
    private(set) var visits = 0
    private(set) var marks = 0
    private(set) var doubleReads = 0
    private(set) var records = 0

    init(seed: UInt64) throws {
        devices = try [1, 2, 3].map { try TestZone(device: $0) }
        random = SeededRandom(seed: seed)
    }

    mutating func run() throws {
        // Thirty talks of a few messages, each at its time, three in each conversation.
        var talks = (0..<30).map { $0 % 10 }.shuffled(using: &random)
        for turn in 0..<192 {
            now = .zero + .seconds(7 * 3_600 + turn * 300)
            if turn % 6 == 0, let talk = talks.popLast() { try receive("talk \(talk)") }
            try visit()
            if turn == 95 { try exchange() }
        }
        // In bed, the user looks through everything once more, on one device.
        for conversation in 0..<10 { try visit("talk \(conversation)", by: devices[0]) }
        try exchange()
        for device in devices { records += try device.writtenMarks() }
    }

    private mutating func receive(_ conversation: String) throws {
        for _ in 0..<Int.random(in: 5...20, using: &random) {
            newest += 1
            let message = ChatMessage.sample(newest, conversation: conversation, score: newest)
            for device in devices { _ = try device.zone.accept(message, now: now) }
        }
        try devices.randomElement(using: &random)?.zone.cut(force: true, now: now)
        try exchange()
    }

    private mutating func visit() throws {
        let conversation = "talk \(Int.random(in: 0..<10, using: &random))"
        guard let device = devices.randomElement(using: &random) else { return }
        let isUnread = try device.unread(conversation) ?? 0 > 0
        if isUnread, doubleReads < 5, let other = devices.first(where: { $0 !== device }) {
            doubleReads += 1
            try other.mark(conversation, now: now)
            try other.zone.reads.leave(conversation)
        }
        try visit(conversation, by: device)
    }

    /// Scrolls through new messages, while others read and say so.
    private mutating func visit(_ conversation: String, by device: TestZone) throws {
        visits += 1
        let listed = try device.zone.chat.messages(conversation: conversation, limit: 100)
        for message in listed.filter({ !$0.isRead }).reversed() {
            now += .seconds(1)
            marks += 1
            _ = try device.zone.reads.markRead(conversation, upTo: message.message.txid, now: now, wall: .day(0))
            if marks % 5 == 0 { try exchange() }
        }
        // The node looks again at messages that were read before.
        for message in listed.prefix(2) {
            marks += 1
            _ = try device.zone.reads.markRead(conversation, upTo: message.message.txid, now: now, wall: .day(0))
        }
        if Bool.random(using: &random) {
            try device.zone.reads.leave(conversation)
        } else {
            now += .seconds(20)
            for each in devices { try each.zone.work(now: now) }
        }
        try exchange()
    }

    private func exchange() throws {
        for device in devices {
            for other in devices where other !== device {
                try other.zone.commit()
                try device.take(from: other)
            }
        }
    }
}
