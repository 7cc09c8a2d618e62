package import NodeCore

/// The random name under which a node's beacons go for a quarter of an hour.
package struct BeaconID: Identifier16 {
    package let storage: Bytes16

    package init(_ storage: Bytes16) { self.storage = storage }
}
