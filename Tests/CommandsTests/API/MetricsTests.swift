import Testing

@testable import Commands
@testable import Node

@Suite struct MetricsTests {
    @Test func countsBecomeLines() {
        let status = JSONValue.object([
            "accounts": .array([
                .object([
                    "accountId": .string("0123456789abcdef"), "messages": .int(7), "wantedBlobs": .int(0),
                    "caughtUp": .bool(true), "lastSyncedAt": .null, "state": .string("synced"),
                ])
            ]),
            "peers": .array([.object(["state": .string("connected")]), .object(["state": .string("known")])]),
            "refused": .object(["strangers": .int(3)]),
        ])
        let lines = String(decoding: Metrics.text(status), as: UTF8.self).split(separator: "\n").map(String.init)
        for line in [
            "kachat_messages{account=\"01234567\"} 7", "kachat_wanted_blobs{account=\"01234567\"} 0",
            "kachat_caught_up{account=\"01234567\"} 1", "kachat_state{account=\"01234567\",state=\"synced\"} 1",
            "kachat_connected_peers 1", "kachat_refused_total{what=\"strangers\"} 3", "# TYPE kachat_messages gauge",
        ] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains { $0.hasPrefix("kachat_last_synced_at{") })
    }
}
