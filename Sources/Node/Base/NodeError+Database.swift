import SyncState

extension NodeError {
    /// Says what a person can do about an error of the database. Its code stands at the end, for anyone who is asked
    /// for help.
    init(database error: DatabaseError) {
        if error.isDiskFull {
            self = .storageFull
        } else if error.newerSchema != nil {
            self.init(.newerStore, error.message)
        } else if error.isBusy {
            self.init(.homeInUse, "the home's database is in use by another program: end that one, then try again")
        } else if error.isCorrupt {
            self.init(damaged: "the home's database is damaged (\(error.message))")
        } else {
            self.init(.storage, "\(sentence: Self.problem(of: error)) (\(error.number))")
        }
    }

    private static func problem(of error: DatabaseError) -> Sentence {
        if error.isDenied {
            return """
                this user may not write the home's database: make the home's files and folders this user's own, or \
                mount their disk for writing, then try again
                """
        }
        if error.isOutOfFiles {
            return """
                this process may open no further file: end other programs, or raise the limit (ulimit -n), then try \
                again
                """
        }
        if error.isOutOfMemory { return "there is too little memory: end other programs, then try again" }
        if error.isOfDisk {
            return """
                the disk failed to read or write the home's database: try again; if that fails, too, look for errors \
                of the disk in the system's log, and move the home to a sound one
                """
        }
        return """
            the database refused what this program wanted, \(error.message): try again; if that fails, too, report \
            it\(advice: " with the output of `kachat-node diagnostics`")
            """
    }

    init(damaged what: String) {
        let commands = Self.damageCommands(Program(flag: nil))
        self.init(.storageDamaged, "\(what)\(advice: ": \(Self.damageRemedy): \(commands)")")
    }

    static let damageRemedy = "move the home away, and get the account back from another device or a backup"

    static func damageCommands(_ program: Program) -> String {
        "\(program.command("account pair --join")) or \(program.command("restore FILE"))"
    }
}
