/// Bounds and paces of presence, with units and the reason for each number.
package enum PresenceLimits {
    /// Longest beacon: below the 1,280 bytes that every IPv6 link carries unfragmented, headers taken off.
    package static let datagramBytes = 1_200
    /// Entries a beacon is padded to, so that its size tells only an order of magnitude.
    package static let paddedEntries = [4, 16, 64]
    /// Peers remembered from beacons, and sources of datagrams: more than a household or an office has on one link.
    package static let knownBeacons = 256
    package static let knownSources = 256
    /// An id lives 15 minutes: a passive listener cannot follow a device for longer by it.
    package static let idLifetime = Duration.seconds(900)
    /// A beacon's entry outlives its id a little; then the id has rotated anyway.
    package static let beaconExpiry = Duration.seconds(1_200)
    /// Own ids recognised after a rotation, for datagrams still in flight.
    package static let ownIDsRemembered = 4

    /// RFC 6206's parameters: fast enough for "about a second", slow enough for "under 100 B/s when idle".
    package static let trickleMinimum = Duration.milliseconds(500)
    package static let trickleMaximum = Duration.seconds(64)
    package static let trickleRedundancy = 3

    /// Who seeks speaks anew because of strangers no more often than that.
    package static let seekingPause = Duration.seconds(4)

    /// Keyed hashes a second spent on datagrams of unknown sources (about 2 % of a core), and as many at once.
    package static let strangerHashesPerSecond = 20_000
    /// The same for sources whose beacon was recognised lately: a flood of strangers never takes their share.
    package static let memberHashesPerSecond = 50_000
    /// Datagrams a second of one address, and at once: a host that runs many nodes on loopback stays below.
    package static let sourceDatagramsPerSecond = 32
    package static let sourceDatagramsBurst = 128

    /// Sessions a zone keeps standing, so that a change is visible in one round trip.
    package static let standingSessions = 8
    /// Sessions above which those that this node opened are given back. Well above the number wanted: who loses one
    /// looks for another, and would else take the next one's place, for ever.
    package static let keptSessions = 12
    /// Sessions and attempts of a zone when peers differ or blobs are wanted.
    package static let busySessions = 16
    /// Addresses known for one zone.
    package static let addressesPerZone = 256
    /// An address known from beacons only is forgotten after that silence. Trickle's suppression makes one node of
    /// fifty speak once in ten minutes.
    package static let addressExpiry = Duration.seconds(3_600)
    /// Back-off of one failing address.
    package static let backoffMinimum = Duration.seconds(1)
    package static let backoffMaximum = Duration.seconds(60)
    /// A device of another version is tried again that often: somebody has to update one of the two first.
    package static let otherVersionPause = Duration.seconds(600)
    /// The shell must report the outcome of an attempt before that; a lost report frees the place again.
    package static let attemptExpiry = Duration.seconds(30)
    /// A session made for a difference and no longer needed stays that long after both sides were equal.
    package static let surplusLinger = Duration.seconds(30)
    /// The longest pause a peer may ask for: a wrong or hostile number does not silence a zone for good.
    package static let busyMaximum = Duration.seconds(3_600)
}
