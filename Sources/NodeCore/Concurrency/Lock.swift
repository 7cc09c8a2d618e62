#if KACHAT_TSAN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// The lock under the thread sanitizer, which takes `Synchronization.Mutex` for a race: a pthread mutex.
    package final class Lock<Value: Sendable>: @unchecked Sendable {
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>
        private var value: Value

        package init(_ value: Value) {
            self.value = value
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            let failed = pthread_mutex_init(mutex, nil)
            precondition(failed == 0, "invariant: a mutex can be made")
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A value that several threads may touch, one at a time: the only kind of lock in this project.
    ///
    /// Nothing slow belongs inside `withLock`, and no second lock.
    package final class Lock<Value: Sendable>: Sendable {
        private let mutex: Mutex<Value>

        package init(_ value: Value) { mutex = Mutex(value) }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try mutex.withLock { value throws(Failure) in try body(&value) }
        }
    }
#endif
