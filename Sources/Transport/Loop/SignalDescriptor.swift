import CLinuxShim

/// Signals as something to read, signalfd(2), instead of a handler that interrupts.
final class SignalDescriptor {
    let descriptor: Int32

    /// Blocks `signals` in the calling thread: only then do they wait to be read.
    init(signals: [Int32]) throws(SystemError) {
        descriptor = try System.call("signalfd") { kachat_signal_descriptor(signals, signals.count) }
    }

    deinit {
        System.close(descriptor)
    }

    /// The next signal, nil if none waits.
    func next() -> Int32? {
        do {
            return try System.callWithoutWaiting("read") { kachat_read_signal(descriptor) }
        } catch {
            return nil
        }
    }
}
