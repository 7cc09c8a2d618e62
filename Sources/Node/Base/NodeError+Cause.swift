import Chat
import LeaderboardShare
import NodeCore
import SyncState

extension NodeError {
    /// Describes an error of a lower module for the user.
    package init(cause: any Error) {
        switch cause {
        case let error as NodeError: self = error
        case let error as DatabaseError: self.init(database: error)
        case let error as ChatError: self.init(chat: error)
        case AccountError.notAmongDevices:
            self.init(
                .notAllowed,
                "this device is not among the account's devices\(advice: "; see `kachat-node device list`")")
        case AccountError.otherAccount:
            self.init(.badPhrase, "these are the words, or the key, of another account: nothing was changed")
        case AccountError.alreadyRemoved:
            self.init(.failed, "that device was shut out before; what it did can be undone only with its removal")
        case AccountError.tooManyRemovals:
            self.init(.failed, "this account has shut out as many devices as it can: nothing was changed")
        case let error as ConversationDetailsError:
            self.init(.badInput, "\(error)\(blaming: Self.parameter(of: error))")
        case DeviceError.unknownDevice:
            self.init(.notFound, "there is no such device\(advice: "; see `kachat-node device list`")")
        case DeviceError.enteredAt(let time):
            let text = ISOTime.text(milliseconds: time.milliseconds)
            self.init(
                .usage,
                "that device came into the account at \(text): give that time or a later one. Nothing was changed")
        case DeviceError.onlyHereSince(let time):
            let text = ISOTime.text(milliseconds: time.milliseconds)
            self.init(
                .notAllowed,
                "this device came into the account at \(text), and cannot tell what had come before: run this "
                    + "on a device that came earlier, or give a later time. Nothing was changed")
        case DeviceError.thisDevice:
            self.init(
                .notAllowed,
                """
                \(DeviceError.thisDevice)\
                \(advice: ": run it on another one, or take the account off this one")
                """)
        case let error as DeviceError: self.init(.usage, "\(error)")
        case let error as StoreError: self.init(damaged: "\(error)")
        case let error as ChangeError: self.init(change: error)
        case let error as GroupError: self.init(group: error)
        case let error as TokenError: self.init(.badInput, "\(error)\(blaming: "TOKEN")")
        case AchievementError.tooMany:
            self.init(
                .badInput,
                "an account keeps at most \(Chat.Limits.achievements) achievements of at most 256 KiB together")
        case let error as AchievementError: self.init(.badInput, "not an achievement: \(error)")
        case let error as ScoreError: self.init(.usage, "\(error)")
        case let error as ChatMessageError: self.init(.badInput, "\(error)")
        default: self.init(.failed, "\(cause)")
        }
    }

    private static func parameter(of error: ConversationDetailsError) -> String {
        switch error {
        case .badConversationID: "CONVERSATION"
        case .titleTooLong: "--title"
        case .tooManyParticipants, .participantTooLong, .participantsTooLong: "--participant"
        case .checkpointTooLong: "--checkpoint"
        }
    }

    private init(group error: GroupError) {
        switch error {
        case .joining, .expelled, .deviceRemoved, .departed, .lapsed, .notAllowed, .ofOwner, .oneself, .gameOfOwner,
            .closed:
            self.init(.notAllowed, "\(error)")
        case .noSuchMember, .noSuchInvitation: self.init(.notFound, "\(error)")
        case .badTitle, .tooManyPeople: self.init(.usage, "\(error)")
        case .notValid, .revoked, .expired, .usedUp, .full, .tooManyTickets, .exhausted, .noPerson, .alreadyRemoved,
            .resultsStay:
            self.init(.failed, "\(error)")
        }
    }

    private init(chat error: ChatError) {
        switch error {
        case .unknownConversation:
            self.init(
                .notFound,
                """
                there is no such conversation\(advice: "; see `kachat-node conversation list`")\
                \(blaming: "CONVERSATION")\(blaming: "--conversation")
                """)
        case .unknownMessage: self.init(.notFound, "there is no such message in that conversation")
        case .revisionsExhausted, .tooManyStubs: self.init(.failed, "\(error)")
        }
    }

    private init(change error: ChangeError) {
        let readAgain: Sentence = """
            take a new one\(advice: " with `changes --since now`"), then read everything again\
            \(advice: " with `conversation list`, `message list`, `device list` and `account show`")
            """
        switch error {
        case .foreignToken:
            self.init(
                .foreignToken,
                """
                foreign-token: this token is of another account, or of a store that was wiped or put back: \
                \(sentence: readAgain)
                """
            )
        case .expiredToken:
            self.init(
                .expiredToken,
                """
                expired-token: what came after this token is not kept any more (7 days, 100,000 changes): \
                \(sentence: readAgain)
                """
            )
        }
    }
}
