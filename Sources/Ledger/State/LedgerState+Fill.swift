/// How much of its bounds somebody has used up, so that people hear of it before it hurts.
extension LedgerState {
    package struct Fill: Hashable, Sendable {
        package let used: Int
        package let most: Int

        package init(used: Int, most: Int) { (self.used, self.most) = (used, most) }

        /// Whether three quarters are gone: there is still room for what has to be done.
        package var isLow: Bool { used * 4 >= most * 3 }
    }

    /// Lanes of a member that compete for a place: those that lead back to the person and were not succeeded.
    package func laneFill(of member: MemberID) -> Fill {
        let number = set.number(known: member)
        let lanes = number.map { set.members[$0].lanes } ?? []
        return Fill(
            used: lanes.count { trust.roots[$0] != nil && !trust.isSucceeded($0) },
            most: number == set.owner ? set.bounds.ownerLanes : set.bounds.memberLanes)
    }

    /// The owner's Removes.
    package var removeFill: Fill {
        Fill(used: trust.removes.count { set.links[$0].subject == set.owner }, most: set.bounds.removes)
    }

    /// Endorsements between a lane and the person: each lane that it lets in has one more, its own fresh starts too.
    /// Nil for a lane that leads back to nobody.
    package func wayFill(of key: LaneKey) -> Fill? {
        set.number(of: key).flatMap { trust.roots[$0] }.map { Fill(used: $0.depth, most: set.bounds.depth) }
    }
}
