#if KACHAT_TSAN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// A pthread mutex, used under the thread sanitizer, which reports false races on `Synchronization.Mutex`.
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

    /// A value shared by several threads, accessed by one at a time: the only kind of lock in this project.
    ///
    /// Do nothing slow inside `withLock`, and take no second lock.
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
