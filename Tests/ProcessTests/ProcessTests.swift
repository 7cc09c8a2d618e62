import Testing

/// Tests with real processes on loopback, one after the other: each starts several nodes, and their beacons share a
/// port.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ProcessTests {}
