import NodeDriver
import ProcessHarness

extension Demo {
    /// An empty device with the phrase restores everything, newest first; it is killed on the way.
    mutating func restoreAnother() throws {
        let restored = DrivenNode(binary, name: "restored", home: folder.file("restored"))
        try restored.initialise(phraseFile: phraseFile)
        nodes.append(restored)
        display.say("3. A fourth, empty device joins with the recovery phrase, and is killed in the middle.")
        let time = Stopwatch()
        try restored.start()
        try waitForNewest(on: restored, since: time)
        // Nothing is queried in between: the rest arrives within moments. A stopped node's home answers, too.
        try restored.kill()
        let held = try restored.status().account?.messages ?? 0
        draw(nodes.map { $0 === restored ? nil : try? $0.status() })
        display.say("   Killed when it held \(Text.count(held)) messages; it starts again and continues.")
        try restored.start()
        try watch("the restored node has everything", until: agree)
        display.say("   Everything is there \(Text.duration(time.elapsed)) after its first start, kill and all.")
        for (conversation, txids) in chat.newestByConversation {
            guard try lists(txids, of: conversation, on: restored) else {
                throw DriverError(
                    "\(restored.name) does not list the newest messages of \(conversation) as the file has them")
            }
        }
    }

    /// Waits until the oldest of the newest messages is readable, since newer ones come before it. Whether all of them
    /// are really there is checked later: that would take longer than the rest of the restore.
    private func waitForNewest(on node: DrivenNode, since time: Stopwatch) throws {
        guard let oldest = chat.newest.last else { return }
        while try node.status().connectedDevices == 0 {
            if time.elapsed > Deadline.patience { throw DriverError("timed out: \(node.name) finds the others") }
        }
        let found = time.elapsed
        while try !node.attempt(["message", "show", oldest.txid, "--json"]).status.isSuccess {
            if time.elapsed > .seconds(300) { throw DriverError("timed out: the newest messages are readable") }
        }
        let later = Text.duration(time.elapsed - found)
        let count = Text.count(chat.newest.count)
        display.say("   Found the others after \(Text.duration(found)); newest \(count) readable \(later) later.")
    }

    /// True if the node lists exactly these messages as the newest of the conversation, each with its body.
    private func lists(_ txids: [String], of conversation: String, on node: DrivenNode) throws -> Bool {
        let listed = try node.objects(
            ListedMessage.self, ["message", "list", "--conversation", conversation, "--limit", "\(txids.count)"])
        return listed.map(\.txid) == txids && listed.allSatisfy { $0.body != nil }
    }
}
