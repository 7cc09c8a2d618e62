import NodeCore
import SyncState

/// The keys of a rendezvous, from the secret in a token.
struct RendezvousKeys {
    /// For the tag in the joiner's beacons.
    let discovery: Secret
    /// The pre-shared key of the session.
    let session: Secret

    init(_ rendezvous: Secret) {
        discovery = HKDF.derive(rendezvous, "rendezvous/discovery")
        session = HKDF.derive(rendezvous, "rendezvous/session")
    }
}
