import Glibc

/// A thread of a node: detached, with signals blocked (another thread waits for them) and a sufficient stack. Some
/// systems give secondary threads only 512 KiB.
package final class DetachedThread: Sendable {
    private static let stackBytes = 8 << 20
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// False if the system has no more threads.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackBytes)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        // A thread inherits the signal mask of the one that starts it.
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(DetachedThread(body))
        let status = pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<DetachedThread>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }
}
