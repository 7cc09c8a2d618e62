import Chat
import LeaderboardShare
package import Ledger
import NodeCore
import SyncState

/// A group that continues in another one: its members follow automatically, a day after it was closed with that one,
/// and post again the results of days that are still open.
extension GroupKeeper {
    /// Founds a group in place of another one, with its games, and offers it to the members. The owner closes the
    /// old one with it at once.
    package func succeed(_ old: NodeGroup, title: String?) throws -> NodeGroup {
        try old.zone.checkPost()
        let account = old.owner
        let description = old.zone.roster.title?.description ?? ""
        let new = try found(title: title ?? old.title, description: description, account: account)
        for game in old.zone.catalogue.games {
            try new.zone.enter(game.id, name: game.name, model: game.model, maxAttempts: game.maxAttempts)
        }
        let me = old.zone.roster.members().first(where: \.isMe)
        if let me { try new.zone.roster.setName(me.name, wall: node.clock.wall()) }
        try offer(new, in: old, to: old.zone.successor.others)
        if old.zone.state.owner == old.zone.member {
            try old.zone.roster.close(with: Close.Successor(group: new.zone.zone, founder: old.zone.member))
        }
        return new
    }

    /// Makes a ticket of a group for each member, and offers them in the group that it replaces.
    private func offer(_ new: NodeGroup, in old: NodeGroup, to members: [MemberID]) throws {
        var tokens: [GroupToken] = []
        for start in stride(from: 0, to: members.count, by: Ledger.Limits.tickets) {
            tokens.append(
                try new.zone.invitations.invite(people: min(Ledger.Limits.tickets, members.count - start)))
        }
        try new.commit()
        if !tokens.isEmpty { try old.zone.successor.offer(tokens, to: members) }
    }

    /// Offers tickets of this member's group to members it had not heard of when it founded that one. Its first device
    /// does so at once, each other one only if it is still due after a while. True if the next turn should see a
    /// change.
    func offerToMissed(in old: NodeGroup) -> Bool {
        let revision = old.zone.membership.records.revision
        guard old.fault == nil, old.isIn || old.membership.state == .deleted, old.offersJudged != revision else {
            return false
        }
        let wall = node.clock.wall()
        do {
            for offer in old.zone.successor.offers where offer.founder == old.zone.member {
                guard let new = old.owner.groups.first(where: { $0.zone.zone == offer.group }), new.isIn,
                    new.fault == nil, new.zone.state.owner == new.zone.member, !new.zone.state.isClosed
                else { continue }
                let missed = old.zone.successor.missed(by: offer.group)
                guard !missed.isEmpty else { continue }
                let since = old.missedSince ?? wall
                old.missedSince = since
                guard wall >= since + Limits.followRank * old.zone.successor.rank else { return false }
                try self.offer(new, in: old, to: missed)
                old.missedSince = nil
                return true
            }
        } catch {
            node.errors.note(NodeError(cause: error).code.rawValue, at: wall)
        }
        // A failure is retried when the ledger changes, or at the next start.
        (old.offersJudged, old.missedSince) = (revision, nil)
        return false
    }

    /// Closes a group in favour of the one that is offered in its place.
    package func close(_ old: NodeGroup, with offers: [Close.Successor]) throws {
        try old.zone.roster.close(with: try offers.only(inPlaceOf: old))
    }

    /// Follows at once to the group in which another one continues, or that is offered in its place.
    ///
    /// - Parameter offers: those that may be meant; nil for all.
    package func follow(_ old: NodeGroup, to offers: [Close.Successor]? = nil) throws -> NodeJoin {
        // Its founder may have offered others, too.
        let chosen = old.zone.successor.chosen.flatMap { offers?.contains($0) ?? true ? $0 : nil }
        let successor = try chosen ?? (offers ?? old.zone.successor.offers).only(inPlaceOf: old)
        guard let token = old.zone.successor.token(for: successor) else {
            throw NodeError(.notFound, "there is no ticket for this device: ask for an invitation to the new group")
        }
        return try join(token, name: old.zone.roster.members().first(where: \.isMe)?.name, account: old.owner)
    }

    /// Follows when it is time. True if the next turn should see a change.
    func followSuccessor(of old: NodeGroup) -> Bool {
        guard old.fault == nil, let successor = old.zone.successor.chosen else { return false }
        let account = old.owner
        if let new = account.groups.first(where: { $0.zone.zone == successor.group }) { return postAgain(old, in: new) }
        guard let closedAt = old.zone.closedAt, account.zone.groups.membership(of: successor.group) == nil,
            !account.joins.contains(where: { $0.group == successor.group && !$0.isOver }),
            node.clock.wall() >= closedAt + Limits.followPause + Limits.followRank * old.zone.successor.rank,
            old.followTried != old.zone.membership.records.revision
        else { return false }
        // A failure is retried when the ledger changes, or at the next start.
        old.followTried = old.zone.membership.records.revision
        guard old.zone.successor.token(for: successor) != nil else { return false }
        do {
            _ = try follow(old)
            return true
        } catch {
            node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
            return false
        }
    }

    private static let postedSetting = "posted again"

    /// Posts this member's results of open days that the new group lacks.
    private func postAgain(_ old: NodeGroup, in new: NodeGroup) -> Bool {
        let wall = node.clock.wall()
        guard !old.hasPostedAgain, new.isIn, new.fault == nil, (try? new.zone.checkPost()) != nil else { return false }
        guard (try? new.zone.store.setting(Self.postedSetting)) == .some(nil) else {
            old.hasPostedAgain = true
            return false
        }
        do {
            let open = try OwnResults(of: old.zone).all.map(\.score).filter { score in
                !score.isRemoved && !DailyScore.isLate(day: score.day, arrivedAt: wall)
            }
            // Its games come with the rest of its rows.
            let catalogue = new.zone.catalogue
            guard open.allSatisfy({ catalogue[$0.game] != nil }) else { return false }
            for score in open where try new.zone.score(of: new.zone.member, day: score.day, game: score.game) == nil {
                // A result that only an older program accepted counts as not completed.
                let counted = catalogue[score.game]?.counted(score)
                try new.zone.post(
                    game: score.game, day: score.day, score: counted, maxAttempts: score.maxAttempts,
                    streak: score.currentStreak, wall: wall)
            }
            try new.zone.store.put(setting: Self.postedSetting, [1])
            return true
        } catch {
            node.errors.note(NodeError(cause: error).code.rawValue, at: node.clock.wall())
            return false
        }
    }
}

extension [Close.Successor] {
    /// The group that is meant, of those that are offered. A member may offer several.
    fileprivate func only(inPlaceOf old: NodeGroup) throws(NodeError) -> Close.Successor {
        guard let one = first else {
            throw NodeError(.notFound, "nobody offers such a group in place of \(old.title)")
        }
        guard count == 1 else {
            let ids = map(\.group.hex).joined(separator: ", ")
            throw NodeError(
                .usage, "several groups are offered in place of \(old.title): name one with `--of` by its id (\(ids))")
        }
        return one
    }
}
