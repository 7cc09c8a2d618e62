package import NodeCore

extension GroupState {
    /// A key for each member whose results may count. As long as a member's key stays the same, the same records count;
    /// for members without a key, none do.
    package var scoreKeys: [MemberID: Bytes16] {
        var lanes: [Int: [LaneID]] = [:]
        for claim in certified { lanes[claim.member, default: []].append(claim.device) }
        var keys: [MemberID: Bytes16] = [:]
        for (number, member) in log.members.enumerated() where !suspended.contains(member) && !left.contains(member) {
            let lists = standings[number].named(.member)
            guard let own = lanes[number], standings[number].isFree(.member) || !lists.isEmpty else { continue }
            var writer = CBORWriter()
            writer.write(standings[number].isFree(.member))
            for lane in own.sorted() { writer.write(lane) }
            for list in lists { writer.write(bytes: Blake2b.hash32(list.encoded).bytes) }
            if let names = removedNames[number] { writer.write(bytes: Blake2b.hash32(names.encoded).bytes) }
            keys[member] = Blake2b.hash16(writer.bytes, domain: "kachat score key")
        }
        return keys
    }

    /// True if all results in lanes that the member certified count.
    func countsAll(of member: MemberID) -> Bool {
        log.memberNumbers[member].map { standings[$0].isFree(.member) && removedNames[$0] == nil } ?? false
    }

    /// The number of devices each member certified.
    var deviceCounts: [MemberID: Int] {
        var counts: [MemberID: Int] = [:]
        for claim in certified { counts[log.members[claim.member], default: 0] += 1 }
        return counts
    }
}
