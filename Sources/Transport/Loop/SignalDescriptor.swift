import CLinuxShim

/// Reads signals from a descriptor, signalfd(2), instead of using handlers that interrupt.
final class SignalDescriptor {
    let descriptor: Int32

    /// Blocks `signals` in the calling thread, which is required for reading them.
    init(signals: [Int32]) throws(SystemError) {
        descriptor = try System.call("signalfd") { kachat_signal_descriptor(signals, signals.count) }
    }

    deinit {
        System.close(descriptor)
    }

    /// The next signal; nil if none is pending.
    func next() -> Int32? {
        do {
            return try System.callWithoutWaiting("read") { kachat_read_signal(descriptor) }
        } catch {
            return nil
        }
    }
}
