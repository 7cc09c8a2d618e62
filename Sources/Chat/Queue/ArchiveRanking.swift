import NodeCore

/// Who of the devices that are connected archives a conversation's day first, so that they do not all do it.
///
/// Each computes it by itself. They may see different devices; then two may have one rank, and both archive.
struct ArchiveRanking: Equatable {
    var own = LaneID(.zero)
    /// The connected ones.
    var others: [LaneID] = []

    /// How many of the others come before this device. Another order for each conversation and day, so that the work
    /// is shared.
    func rank(conversation: String, day: UInt64) -> Int {
        let place = Self.place(of: own, conversation, day)
        return others.count { $0 != own && Self.place(of: $0, conversation, day) < place }
    }

    private static func place(of lane: LaneID, _ conversation: String, _ day: UInt64) -> Bytes32 {
        var writer = CBORWriter()
        writer.writeArray(3)
        writer.write(text: conversation)
        writer.write(day)
        writer.write(lane)
        return Blake2b.hash32(writer.bytes, domain: "kachat rank")
    }
}
