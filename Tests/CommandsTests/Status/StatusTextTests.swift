import NodeModel
import Testing

@testable import Commands
@testable import Node

@Suite struct StatusTextTests {
    @Test(
        arguments: [
            (0, 0, false, .offline, "No device of the account is in reach."),
            (1, 0, false, .syncing, "Asked 1 device in reach."),
            (1, 0, true, .upToDate, "Caught up with 1 device in reach."),
            (3, 0, true, .upToDate, "Caught up with 3 devices in reach."),
            (3, 0, true, .offline, "Caught up with 3 devices in reach: not on all devices."),
            (1, 2, true, .upToDate, "Caught up with 1 device and 2 of group members in reach."),
            (0, 1, true, .offline, "Caught up with 1 device of group members in reach."),
        ] as [(Int, Int, Bool, Verdict, String)])
    func syncSaysWithWhom(peers: Int, ofGroups: Int, isCaughtUp: Bool, verdict: Verdict, text: String) {
        var result = SyncResult()
        (result.peers, result.groupPeers, result.caughtUp, result.verdict) = (peers, ofGroups, isCaughtUp, verdict)
        #expect(result.words == text)
    }

    /// A self-contained sentence is not repeated.
    @Test func theVerdictIsTheFirstLine() {
        var account = AccountStatus()
        (account.label, account.verdict) = ("main", .upToDate)
        (account.summary, account.sentence) = ("both devices hold everything", "caught up with 1 device in reach")
        #expect(
            StatusText.heading(of: account, isOnly: true) == [
                "Up to date: both devices hold everything", "Caught up with 1 device in reach",
            ])
        #expect(
            StatusText.heading(of: account, isOnly: false).first == "main: up to date: both devices hold everything")
        (account.verdict, account.summary, account.sentence) = (.paused, "paused by you", "paused by you")
        #expect(StatusText.heading(of: account, isOnly: true) == ["Paused by you"])
    }

    private func progress(counting: Bool = false) -> RestoreProgress {
        var progress = RestoreProgress()
        (progress.bytesHere, progress.bytesWanted) = (2_000_000, 1_000_000)
        (progress.messagesHere, progress.messagesWanted) = (26_000, 14_000)
        (progress.bytesPerSecond, progress.messagesPerSecond) = (250_000, 3_000)
        progress.secondsLeft = counting ? nil : 4
        progress.counting = counting
        return progress
    }

    @Test func theBarFitsItsLine() {
        for columns in 1...140 {
            #expect(progress().bar(columns: columns).count <= columns)
            #expect(progress(counting: true).bar(columns: columns).count <= columns)
        }
        let wide = progress().bar()
        #expect(wide.hasPrefix("[####################..........]  66 %  26,000 of 40,000 messages, 3,000 a second ("))
        #expect(wide.hasSuffix(" left"))
        let usual = progress().bar(columns: 79)
        #expect(usual.contains("26,000 of 40,000 messages, ") && usual.hasSuffix(" left"))
        #expect(!usual.contains("a second"))
    }

    @Test func anAccountWithoutMessagesHasNoBar() {
        #expect(RestoreProgress().bar() == "no messages yet")
        #expect(RestoreProgress().bar(columns: 4) == "no m")
    }

    /// A bar would move back, and the remaining time would be wrong.
    @Test func thereIsNoBarWhileRecordsAreStillComing() {
        let text = progress(counting: true).bar()
        #expect(text.hasPrefix("counting: 40,000 messages so far, 26,000 here, 3,000 a second ("))
        #expect(!text.contains("%") && !text.contains("left"))
    }

    @Test func ofAStoreThatIsNotOpenNoCountsAreTold() throws {
        var account = AccountStatus()
        account.state = "error"
        #expect(account.json["messages"] == nil)
        #expect(try AccountStatus(json: account.json).store == nil)
        account.store = StoreStatus()
        account.store?.messages = 3
        #expect(account.json["messages"]?.integer == 3)
        #expect(try AccountStatus(json: account.json) == account)
    }
}
