import Glibc

/// Runs another program to its end, such as `systemctl`. It leads its own process group, so that programs it starts end
/// with it.
package enum ChildProgram {
    /// Signals that end this process, such as a terminal's Ctrl-C: the child's group gets them first.
    private static let endings = [SIGINT, SIGTERM, SIGHUP]

    /// Returns the exit status; nil if the program does not exist, was killed, or took longer than `seconds`, after
    /// which its group is killed. Its standard input is empty.
    /// - Parameter environment: added to this process's own.
    /// - Parameter isShown: sends its output to this process's standard error; otherwise it is discarded.
    package static func run(
        _ name: String, _ arguments: [String], seconds: Int = 20, environment: [String: String] = [:],
        isShown: Bool = false
    ) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor in isShown ? [STDIN_FILENO] : [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if isShown { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        // The child must not inherit this process's signal handling.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var surroundings = Self.surroundings(environment)
        defer { for entry in surroundings { free(entry) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, name, &actions, &attributes, &words, &surroundings) == 0 else { return nil }
        return wait(pid, seconds: seconds)
    }

    /// `NAME=VALUE` each, and nil at the end.
    private static func surroundings(_ added: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let entry = next.pointee {
            let name = String(String(cString: entry).prefix { $0 != "=" })
            if added[name] == nil { entries.append(strdup(entry)) }
            next += 1
        }
        for name in added.keys.sorted() { entries.append(strdup("\(name)=\(added[name] ?? "")")) }
        return entries + [nil]
    }

    private static func wait(_ pid: pid_t, seconds: Int) -> Int32? {
        var (watched, before) = (sigset_t(), sigset_t())
        sigemptyset(&watched)
        for signal in endings where !isIgnored(signal) { sigaddset(&watched, signal) }
        pthread_sigmask(SIG_BLOCK, &watched, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
        var word: Int32 = 0
        for _ in 0..<(seconds * 100) {
            let ended = waitpid(pid, &word, WNOHANG)
            // Like WIFEXITED and WEXITSTATUS of wait(2).
            if ended == pid { return word & 0x7F == 0 ? (word >> 8) & 0xFF : nil }
            if ended < 0 && errno != EINTR { return nil }
            let signal = sigtimedwait(&watched, nil, &pause)
            guard signal > 0 else { continue }
            // A program in a shell's background ignores SIGINT.
            kill(-pid, SIGTERM)
            // This process receives it as soon as it unblocks signals.
            kill(getpid(), signal)
            return nil
        }
        kill(-pid, SIGKILL)
        while waitpid(pid, &word, 0) == -1 && errno == EINTR {}
        return nil
    }

    /// True in a program started with nohup(1), or in a script's background.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
