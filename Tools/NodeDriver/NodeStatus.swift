/// The output of `kachat-node status --json`, as far as scripts rely on it.
package struct NodeStatus: Decodable, Sendable {
    package struct Account: Decodable, Sendable {
        package var accountId: String
        package var state: String
        package var messages: Int
        package var conversations: Int
        package var unread: Int
        package var wantedBlobs: Int
        package var placeholders: Int
        package var zoneDigest: String
        package var caughtUp: Bool
    }

    package struct Peer: Decodable, Sendable {
        package var deviceId: String?
        package var address: String?
        package var foundBy: String?
        package var state: String
    }

    package var state: String
    package var deviceId: String
    package var accounts: [Account]
    package var peers: [Peer]

    /// The first account: nodes of the demo and of most tests have one.
    package var account: Account? { accounts.first }

    /// Number of distinct connected devices.
    package var connectedDevices: Int {
        Set(peers.filter { $0.state == "connected" }.map { $0.deviceId ?? "" }).count
    }
}
