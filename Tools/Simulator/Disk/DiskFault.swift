import NodeCore

/// A fault of a disk, or of the home on it, other than power cuts and lack of room.
enum DiskFault: Hashable {
    /// One read, write or sync fails with EIO, some operations ahead.
    case error(FaultDisk.Failure)
    /// Bits flip in what lies there while nobody runs.
    case rot(HomeDamage.Part)
    /// A file is gone.
    case lostFile, lostLog, lostGuard
    /// The home is copied; later it becomes what it was then: put back as files, or with its whole machine.
    case copy, oldCopy, oldMachine
    /// Another machine's home is copied over this one: as files, or with its whole machine.
    case clone, twin
    /// The machine never starts again.
    case death

    /// The home may be unreadable after it, or another's.
    var mayTakeHome: Bool {
        [.rot(.page), .lostFile, .lostLog, .clone, .twin].contains(self)
    }

    var name: String {
        switch self {
        case .error(let failure): "\(failure)"
        case .rot(let part): "rot in \(part.rawValue)"
        default: "\(self)"
        }
    }
}

/// A fault of a disk that is planned.
struct DiskEvent: Hashable {
    let node: Int
    let fault: DiskFault
    /// Decides all that is left open.
    let draw: UInt64
}

/// The faults of a run's disks, drawn from the seed by a stream of their own.
struct DiskPlan {
    private(set) var events: [(after: Duration, event: DiskEvent)] = []

    /// The faults that damage a home.
    struct Kinds {
        var rots: [DiskFault] = HomeDamage.Part.allCases.map(DiskFault.rot)
        var losses: [DiskFault] = [.lostFile, .lostLog, .lostGuard, .oldCopy, .oldMachine, .clone, .twin]
        /// The nodes from this one on may die for ever, and lose their homes.
        var (firstMortal, firstLosing) = (0, 0)

        /// A group has neither blobs nor a queue. It lives as long as its owner has a device in it.
        static let ofGroups = Kinds(rots: [.row, .index, .page].map(DiskFault.rot), firstMortal: 2, firstLosing: 1)
    }

    /// Some runs have errors only, some one damage, some several.
    init(seed: UInt64, nodes: Int, over span: Duration, kinds: Kinds) {
        var random: any RandomSource = SeededRandom(seed: seed &* 0x9e37_79b9_7f4a_7c15 &+ 17)
        func plan(_ fault: DiskFault) {
            let part = Double.random(in: 0.05...0.95, using: &random)
            let node = Int.random(in: 0..<nodes, using: &random)
            func add(_ fault: DiskFault, at part: Double) {
                let after = Duration.nanoseconds(Int64(Double(span.heldNanoseconds) * part))
                events.append((after, DiskEvent(node: node, fault: fault, draw: random.next())))
            }
            if [.oldCopy, .oldMachine].contains(fault) {
                add(.copy, at: part * Double.random(in: 0.1...0.9, using: &random))
            }
            add(fault, at: part)
        }
        let errors: [FaultDisk.Failure] = [.readError, .writeError, .syncError]
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            plan(.error(errors.randomElement(using: &random) ?? .syncError))
        }
        for _ in 0..<max(0, Int.random(in: -2...4, using: &random)) {
            let some = Bool.random(using: &random) ? kinds.rots : kinds.losses
            plan(some.randomElement(using: &random) ?? .lostLog)
        }
        if nodes > 2, Int.random(in: 0..<4, using: &random) == 0 { plan(.death) }
        // The others, whose end would end what they all are in, stay.
        events.removeAll { _, event in
            event.fault == .death && event.node < kinds.firstMortal
                || event.fault.mayTakeHome && event.node < kinds.firstLosing
        }
    }
}
