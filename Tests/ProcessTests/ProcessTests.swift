import TestScale
import Testing

/// Tests with real processes on loopback, one after another: each starts several nodes, and their beacons share a port.
@Suite(.serialized, .timeLimit(.minutes(TestScale.of(usual: 30, proof: 120)))) struct ProcessTests {}
