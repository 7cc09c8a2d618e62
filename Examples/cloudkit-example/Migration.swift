import KaChatClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Moves the records of an app that used CloudKit to a node: messages, read state, achievements. It can be run again,
/// and on each device with that device's records: nothing is added twice.
///
/// ```
/// KACHAT_TOKEN=… cloudkit-example --api 127.0.0.1:47768 records.jsonl
/// ```
@main struct Migration {
    let client: NodeClient

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, arguments[0] == "--api", let token = getenv("KACHAT_TOKEN") else {
            return fail("KACHAT_TOKEN=TOKEN cloudkit-example --api HOST:PORT FILE")
        }
        do {
            let decoder = JSONDecoder()
            let lines = try String(contentsOfFile: arguments[2], encoding: .utf8).split(separator: "\n")
            let records = try lines.map { try decoder.decode(CloudRecord.self, from: Data($0.utf8)) }
            let client = try NodeClient(api: arguments[1], token: String(cString: token))
            try await Migration(client: client).move(records)
        } catch {
            fail("\(error)")
        }
    }

    func move(_ records: [CloudRecord]) async throws {
        var (messages, reads, achievements) = ([NewMessage](), [ReadLine](), [NewAchievement]())
        for record in records {
            switch record {
            case .segment(let segment): messages += segment.map(NewMessage.init)
            case .readMarker(let conversation, let txid, let blockTime):
                reads.append(
                    ReadLine(conversationId: conversation, lastReadTxId: txid, lastReadBlockTime: blockTime))
            case .achievement(let achievement): achievements.append(NewAchievement(achievement))
            case .other: break
            }
        }
        // The messages first: a read position names one of them.
        let added = try await client.importMessages(messages)
        say("messages: \(added.counts.added) added, \(added.counts.known) known, \(added.counts.placeholders) missing")
        let read = try await client.importReads(reads)
        say("read positions: \(read.counts.advanced) of \(read.counts.lines)")
        for reason in added.refusals + read.refusals { say("refused: \(reason)") }
        if !achievements.isEmpty {
            let merged = try await client.add(achievements)
            say("achievements: \(merged.held) here")
        }
        // Until then the data is on one device only.
        let synced = try await client.sync(waitSeconds: 30)
        say(
            synced.caughtUp && synced.peers > 0
                ? "other devices in reach have all of it" : "no other device has all of it")
    }
}

func say(_ line: String) { print(line) }

func fail(_ reason: String) {
    say("cloudkit-example: \(reason)")
    exit(1)
}
