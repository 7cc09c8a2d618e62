import CLinuxShim
import NodeCore

/// The limits of this module, with their reasons. Limits that also bind peers are in docs/PROTOCOL.md.
package enum Limits {
    // MARK: Sessions

    /// Longest message of a session. A frame's plaintext has at most 65,519 bytes, and messages never span frames.
    package static let messageBytes = 65_000
    /// A Noise transport message (§3 of the Noise specification), tag included.
    static let frameBytes = 65_535
    /// Tag size of ChaCha20-Poly1305.
    static let tagBytes = 16
    /// Room in one frame for messages and their lengths.
    static let framePlaintextBytes = frameBytes - tagBytes
    /// Each of the two messages of Noise_NNpsk0 with an empty payload: an ephemeral key and a tag.
    static let handshakeMessageBytes = 32 + tagBytes
    /// Eight bytes separate a node's keys from each other and from random bytes; the PSK then decides.
    static let hintBytes = 8
    /// The initiator's first bytes.
    static let openingBytes = hintBytes + handshakeMessageBytes
    /// The responder's first bytes: they make a recorded first message useless later and elsewhere.
    package static let challengeBytes = 32
    /// How long the same challenge is given to all who connect. The table of hints is made once in this time.
    static let challengeLifetime: Duration = .seconds(1)
    /// First messages that fit one challenge. Each costs two curve operations, so this many are a tenth of a core.
    static let openingsPerChallenge = 1024
    /// The first message follows the challenge at once.
    package static let firstMessageTimeout: Duration = .seconds(2)
    /// For the initiator, from connecting on.
    package static let answerTimeout: Duration = .seconds(5)
    /// While a transfer runs, this much must arrive (or be taken) in each `progressWindow`.
    package static let progressBytes = 1024
    package static let progressWindow: Duration = .seconds(10)

    // MARK: Loop and sockets

    /// Events taken from the kernel at once; the rest follow in the next turn.
    static let eventsPerTurn = 256
    /// Sockets that strangers can make ready are handled at most this often in the long run, and a few times at once: a
    /// new device, which needs three turns, does not wait.
    static let sharedPause: Duration = .milliseconds(1)
    static let sharedTurnsAtOnce = 16
    /// Fits the second-level cache and holds four frames.
    static let readBufferBytes = 256 * 1024
    /// Bytes that one connection may deliver in one turn, so that the commit at its end stays short.
    package static let readBytesPerTurn = 1024 * 1024
    /// Connections taken from one listener in one turn.
    static let acceptsPerTurn = 16
    /// Descriptors that connections over TCP leave to the node's files and to its user, however few it has.
    static let sparedDescriptors = 4
    /// Descriptors that connections of devices leave to those of apps.
    static let appDescriptors = 4
    /// Descriptors that a node has open before anybody connects, rounded up; the others are for connections.
    package static let ownDescriptors = 24
    /// Backlog for accept(2): as many as may wait for their first message. Of a longer burst some wait a second for the
    /// kernel to try again.
    static let listenBacklog: Int32 = 256
    /// TCP keep-alive: a silent peer is probed after the idle time, then at this interval, and given up after this many
    /// probes.
    static let keepAliveIdleSeconds: Int32 = 30
    static let keepAliveIntervalSeconds: Int32 = 10
    static let keepAliveProbes: Int32 = 3
    /// A connection breaks if sent bytes stay unacknowledged for this long.
    static let unacknowledgedMilliseconds: Int32 = 60_000
    /// Memory that an empty output buffer keeps.
    static let outputBytesKept = 512 * 1024

    // MARK: Beacons

    /// UDP port of beacons.
    package static let beaconPort: UInt16 = 47_767
    /// A beacon with its padding fits the MTU of every link.
    package static let beaconBytes = 1200
    /// IPv4 group of beacons, administratively scoped (RFC 2365): 239.255.77.67.
    package static let beaconGroupIPv4: UInt32 = 0xEFFF_4D43
    /// IPv6 group of beacons, transient and link-local (RFC 4291, section 2.7): ff12::4b43.
    static let beaconGroupIPv6 = Bytes16(0xFF12_0000_0000_0000, 0x4B43)
    /// Linux allows 20 group memberships per socket.
    package static let beaconInterfaces = 16
    /// How often interfaces are listed: beacons start within seconds after a cable is plugged in.
    package static let interfacePollInterval: Duration = .seconds(3)
    /// Number of our own datagrams remembered, to recognise them when they come back.
    static let beaconsRemembered = 32
    /// Datagrams taken from a socket by one call.
    static let beaconsAtOnce = Int(KACHAT_DATAGRAMS)
    /// Such calls in one turn, which bounds how long a flood can delay it: 512 datagrams arrive in 5 ms at 100,000 a
    /// second.
    static let beaconBatchesPerTurn = 8
    /// The kernel's buffer for datagrams: 10 ms at 100,000 a second, some 768 bytes each.
    static let beaconBufferBytes: Int32 = 1 << 20
}
