import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// posix_spawn(3), with the defaults that a program expects from its parent.
enum Spawn {
    /// Descriptors that this process was started with are its own: in a program they would count against its limit.
    private static let keepInherited: Void = {
        for descriptor in 3..<Int32(256) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }()

    static func start(_ command: Command, streams: SpawnStreams) throws(HarnessError) -> Int32 {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in streams.child.enumerated() where descriptor >= 0 {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        _ = Self.keepInherited

        // Otherwise a blocked SIGTERM or an ignored SIGPIPE would be inherited.
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let (program, arguments) = command.resolved
        var pid: Int32 = 0
        func start() -> Int32 {
            withCStrings([program] + arguments) { argv in
                withCStrings(environment(command)) { envp in
                    // Registered before the lock is released, so that `Cleanup` cannot miss it.
                    System.spawning.withLock { _ in
                        let result = posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
                        if result == 0 { Cleanup.shared.add(pid: pid) }
                        return result
                    }
                }
            }
        }
        var result = start()
        // A file that was just written may still be open in a child that another thread is starting, until its
        // execve(2).
        for _ in 0..<1_000 where result == ETXTBSY {
            usleep(10_000)
            result = start()
        }
        if result != 0 { throw HarnessError.system(call: "start \(program)", reason: System.errorText(result)) }
        return pid
    }

    /// This process's environment with the command's changes. The backtracer is off: it lingers after a crash.
    private static func environment(_ command: Command) -> [String] {
        var values: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        values["SWIFT_BACKTRACE"] = "enable=no"
        for (name, value) in command.environment { values[name] = value }
        return values.map { "\($0.key)=\($0.value)" }.sorted()
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
