import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Cleans up when this process ends: the programs it started and its temporary folders.
///
/// This happens at exit, and on SIGINT, SIGTERM and SIGHUP after `catchSignals` was called. The handler only writes a
/// byte and a separate thread does the work, since almost nothing is allowed in a handler.
package final class Cleanup: Sendable {
    package static let shared = Cleanup()

    private struct State {
        var pids: [Int32] = []
        var folders: [String] = []
    }

    private let state = Mutex(State())

    private init() {
        atexit { Cleanup.shared.run() }
    }

    func add(pid: Int32) { state.withLock { $0.pids.append(pid) } }
    func remove(pid: Int32) { state.withLock { $0.pids.removeAll { $0 == pid } } }
    func add(folder: String) { state.withLock { $0.folders.append(folder) } }
    func remove(folder: String) { state.withLock { $0.folders.removeAll { $0 == folder } } }

    /// Kills running programs, then removes the folders. No program can be started meanwhile.
    func run() {
        System.spawning.withLock { _ in removeAll() }
    }

    private func removeAll() {
        let (pids, folders) = state.withLock { state in
            defer { state = State() }
            return (state.pids, state.folders)
        }
        for pid in pids { kill(-pid, SIGKILL) }
        for pid in pids {
            var word: Int32 = 0
            while waitpid(pid, &word, 0) == -1 && errno == EINTR {}
        }
        for folder in folders {
            // Another thread of this process may just have written into it.
            for _ in 0..<3 where FileTree.exists(folder) { FileTree.remove(folder) }
        }
    }

    /// The write end of the pipe used by the handler, -1 before it exists.
    private static let signalPipe = Atomic<Int32>(-1)

    /// Makes SIGINT, SIGTERM and SIGHUP clean up and end the process with status 128 + signal.
    /// - Parameter farewell: written to standard error before, for example to restore the cursor.
    package static func catchSignals(farewell: String = "") throws(HarnessError) {
        guard signalPipe.load(ordering: .relaxed) == -1 else { return }
        let (readEnd, writeEnd) = try System.pipe()
        signalPipe.store(writeEnd, ordering: .releasing)
        startThread { endOnSignal(readEnd, farewell: farewell) }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Cleanup.signalPipe.load(ordering: .acquiring), &byte, 1)
            }
        }
    }

    private static func endOnSignal(_ descriptor: Int32, farewell: String) {
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) != 1 {}
        System.spawning.withLock { _ in
            shared.removeAll()
            _ = farewell.withCString { write(2, $0, strlen($0)) }
            _exit(128 + Int32(byte))
        }
    }

    /// Writing to a program that has ended returns an error from write(2) instead of killing this process.
    static func ignoreBrokenPipes() { _ = brokenPipesIgnored }
    private static let brokenPipesIgnored: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return true
    }()
}

/// Runs the work on a detached thread.
private func startThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    #if canImport(Glibc)
        var thread = pthread_t()
    #else
        var thread: pthread_t?
    #endif
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    pthread_create(
        &thread, nil,
        { box in
            #if canImport(Glibc)
                guard let box else { return nil }
            #endif
            Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work()
            return nil
        }, box)
}
