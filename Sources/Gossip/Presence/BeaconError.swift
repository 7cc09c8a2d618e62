/// Why a datagram is no beacon of ours.
enum BeaconError: Error, Hashable, Sendable {
    /// Not one of the lengths a beacon has.
    case length
    /// A version this program does not speak, or nothing of ours at all: the two look alike.
    case version
}
