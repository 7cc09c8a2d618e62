import Glibc

/// Another program that is run to its end, such as `systemctl`.
enum ChildProgram {
    /// Its exit status; nil where it is not there, was killed, or took longer than `seconds`, after which it is killed.
    /// It reads nothing, and what it says is not shown.
    static func run(_ name: String, _ arguments: [String], seconds: Int = 20) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // What this process does with signals is not the child's affair.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, name, &actions, &attributes, &words, environ) == 0 else { return nil }
        return wait(pid, seconds: seconds)
    }

    private static func wait(_ pid: pid_t, seconds: Int) -> Int32? {
        var word: Int32 = 0
        for _ in 0..<(seconds * 100) {
            let ended = waitpid(pid, &word, WNOHANG)
            // As WIFEXITED and WEXITSTATUS of wait(2) have it.
            if ended == pid { return word & 0x7F == 0 ? (word >> 8) & 0xFF : nil }
            if ended < 0 && errno != EINTR { return nil }
            usleep(10_000)
        }
        kill(pid, SIGKILL)
        while waitpid(pid, &word, 0) == -1 && errno == EINTR {}
        return nil
    }
}
