import NodeDriver
import ProcessHarness
import Testing

/// Drives a stand-in for the program: a shell script that answers as the real one does.
@Suite("Driven node", .timeLimit(.minutes(30)))
struct DrivenNodeTests {
    static let standIn = """
        #!/bin/sh
        shift 2
        case "$1" in
        init) mkdir -p "$HOME_FOLDER" ;;
        account) echo '{"phrase": "one two three"}' ;;
        run) echo 'starting' >&2; echo '{"event":"ready","listen":"127.0.0.1:4711"}'; exec sleep 100 ;;
        status) cat <<'JSON'
        {"state": "running", "deviceId": "aa", "name": "x", "accounts": [{"accountId": "bb", "state": "synced",
        "messages": 7, "conversations": 2, "unread": 3, "segments": 1, "wantedBlobs": 0, "placeholders": 0,
        "zoneDigest": "cc", "caughtUp": true, "lastSyncedAt": null}],
        "peers": [{"deviceId": "dd", "address": "127.0.0.1:1", "foundBy": "multicast", "state": "connected"},
        {"deviceId": null, "address": "127.0.0.1:2", "foundBy": "static", "state": "dialling"}]}
        JSON
        ;;
        *) echo "no such command" >&2; exit 2 ;;
        esac
        """

    private func node(in folder: TemporaryFolder) throws -> DrivenNode {
        let program = folder.file("kachat-node")
        try FileTree.write(Array(Self.standIn.utf8), to: program)
        _ = try Command("chmod", ["700", program]).run()
        return DrivenNode(NodeBinary(path: program), name: "one", home: folder.file("home"))
    }

    @Test("starts, is asked, and is killed")
    func lifeCycle() throws {
        let folder = try TemporaryFolder("driver-test")
        let node = try node(in: folder)
        try node.start()
        #expect(node.port == 4711)
        #expect(node.log == "starting\n")
        let status = try node.status()
        #expect(status.account?.messages == 7)
        #expect(status.connectedDevices == 1)
        try node.kill()
        #expect(node.process == nil)
        try node.start()
        #expect(node.stop() == .killed(signal: 15))
    }

    @Test("says which command failed, and with what words")
    func failure() throws {
        let folder = try TemporaryFolder("driver-test")
        let error = #expect(throws: DriverError.self) { try node(in: folder).run(["dance", "--fast"]) }
        #expect(error?.description == "one: kachat-node dance --fast: exit status 2: no such command\n")
    }

    @Test("keeps the phrase to its owner")
    func phrase() throws {
        let folder = try TemporaryFolder("driver-test")
        try node(in: folder).savePhrase(to: folder.file("phrase"))
        #expect(FileTree.read(folder.file("phrase")) == Array("one two three\n".utf8))
        #expect(try Command("stat", ["-c", "%a", folder.file("phrase")]).run().output == "600\n")
    }
}
