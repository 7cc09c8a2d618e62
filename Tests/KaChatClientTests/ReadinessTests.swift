import Testing

@testable import KaChatClient

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct ReadinessTests {
    /// Two ends of a connection, closed with this object.
    private final class Pair {
        let ends: [Int32]

        init() {
            var ends: [Int32] = [-1, -1]
            #expect(socketpair(AF_UNIX, Socket.streamKind, 0, &ends) == 0)
            ends.forEach(Socket.prepare)
            self.ends = ends
        }

        deinit { for end in ends { close(end) } }
    }

    @Test func whatComesWakesItsTaskAndNoOther() async throws {
        let pairs = (0..<20).map { _ in Pair() }
        let descriptors = pairs.map { $0.ends[0] }
        let tasks = descriptors.map { descriptor in
            Task {
                try await Readiness.shared.wait(
                    for: POLLIN, of: descriptor, until: Deadline(after: .seconds(1_800)))
            }
        }
        for index in [7, 3, 19] {
            var byte: UInt8 = 1
            #expect(Socket.write(pairs[index].ends[1], &byte, 1) == 1)
            try await tasks[index].value
        }
        for task in tasks { task.cancel() }
        for (index, task) in tasks.enumerated() where ![7, 3, 19].contains(index) {
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        withExtendedLifetime(pairs) {}
    }

    @Test func patienceEndsAndACancelledTaskDoesNotWait() async {
        let pair = Pair()
        let descriptor = pair.ends[0]
        let late = await #expect(throws: ClientError.self) {
            try await Readiness.shared.wait(for: POLLIN, of: descriptor, until: Deadline(after: .milliseconds(20)))
        }
        #expect(late?.code == .timedOut)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Readiness.shared.wait(for: POLLIN, of: descriptor, until: Deadline(after: .seconds(1_800)))
        }
        let cancelled = await #expect(throws: ClientError.self) { try await task.value }
        #expect(cancelled?.code == .cancelled)
        withExtendedLifetime(pair) {}
    }
}
