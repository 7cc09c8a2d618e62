import Chat
import Node
import NodeCore
import SyncState

/// A backlog of incompressible messages, so long that 100 MB of it are still missing when the last hint is given, and
/// the messages requested meanwhile.
struct HintFill {
    static let messages = 600_000
    static let hints = 200
    private static let inlineBytes = 400
    private static let segment = 25
    let seed: UInt64

    func fill(_ home: String) throws {
        var random = SeededRandom(seed: seed)
        try OfflineHome.use(home) { zone in
            for number in 0..<Self.messages {
                let place = number / Self.segment
                let message = ChatMessage(
                    txid: Self.txid(number, seed: seed), conversationID: "talk \(place % 40)", contact: "somebody",
                    direction: .received, senderTimestamp: 1_600_000_000 + UInt64(place) * 600,
                    acceptingDaaScore: UInt64(number), status: .confirmed, body: "Message \(number)",
                    attachments: [
                        ChatAttachment(
                            mimeType: "application/octet-stream", sizeBytes: UInt64(Self.inlineBytes),
                            inline: random.bytes(Self.inlineBytes))
                    ])
                _ = try zone.accept(message, now: .zero)
                guard number % Self.segment == Self.segment - 1 else { continue }
                try zone.cut(force: true, now: .zero)
                if place % 64 == 63 { try zone.commitUntold() }
            }
            try zone.commitUntold()
        }
    }

    static func txid(_ number: Int, seed: UInt64) -> TxID { TxID(Blake2b.hash32(Array("\(seed).\(number)".utf8))) }

    /// Messages that may be requested: one of each segment, from all over the history.
    static let candidates = messages / segment
    static func hinted(_ number: Int) -> Int { number * 7_919 % candidates * segment }
}
