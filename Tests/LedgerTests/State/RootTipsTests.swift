import Ledger
import NodeCore
import Testing

/// Roots: which ones count, which is newest, when one is due, and to whom it is sealed.
@Suite struct RootTipsTests {
    private static func rotate(
        _ number: UInt64, tips: [RecordHash], covers: [RecordHash] = []
    ) -> LedgerAct {
        .rotate(
            Rotate(
                number: number, root: LedgerScene.root, covers: covers,
                tips: tips.map { Rotate.Tip(rotate: $0, sealedRoot: []) }))
    }

    /// Three devices; the third was removed.
    private static func afterARemoval() -> (scene: LedgerScene, remove: LedgerRecord, first: RecordHash) {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        let third = scene.enter("c", person: "I", first: nil, .lane("a"))
        let remove = scene.remove("c", by: "I", heads: [third])
        return (scene, remove, RecordHash(scene.zone.storage))
    }

    private static func held(_ rotate: RecordHash) -> ZoneRoot {
        ZoneRoot(rotate: rotate, secret: Secret(bytes: [UInt8](repeating: 1, count: Ledger.Limits.rootBytes)))
    }

    /// Whether one device, which holds a root besides the first one, seals it to another.
    private func isSealed(_ root: RecordHash, to lane: String, by sealer: String, in scene: LedgerScene) -> Bool {
        let ring = RootRing(first: Self.held(RecordHash(scene.zone.storage)), later: [Self.held(root)])
        let seals = scene.state.seals(by: scene.key(sealer), holding: ring)
        return seals[root]?.contains { $0.id == LedgerScene.lane(lane).storage } ?? false
    }

    @Test func aRemovalMakesARootDue() {
        var (scene, remove, first) = Self.afterARemoval()
        #expect(scene.state.isRotationDue(held: [first]))
        let rotate = scene.write("a", Self.rotate(1, tips: [first], covers: [remove.hash]))
        #expect(scene.state.newestRoot(held: [first, rotate.hash]) == rotate.hash)
        #expect(!scene.state.isRotationDue(held: [first, rotate.hash]))
        #expect(scene.state.isRotationDue(held: [first]), "who does not hold it cannot write under it")
        #expect(scene.state.tips(held: [first, rotate.hash]) == [rotate.hash])
    }

    @Test func nobodyCoversARemovalBeforeItIsSigned() {
        var (scene, _, first) = Self.afterARemoval()
        let early = scene.write("b", Self.rotate(1, tips: [first], covers: [RecordHash(LedgerScene.lane("c").storage)]))
        #expect(scene.state.counts(early.hash))
        #expect(scene.state.isRotationDue(held: [first, early.hash]))
        #expect(!isSealed(early.hash, to: "a", by: "b", in: scene), "what it covers is not known here")
    }

    @Test func aNumberIsOneAboveItsTips() {
        var (scene, remove, first) = Self.afterARemoval()
        let high = scene.write("a", Self.rotate(1_000_000, tips: [first], covers: [remove.hash]))
        let unfounded = scene.write("a", Self.rotate(1, tips: [remove.hash], covers: [remove.hash]))
        #expect(scene.state.why(high.hash) == .unfounded)
        #expect(scene.state.why(unfounded.hash) == .unfounded)
    }

    @Test func twoRootsAtOnceAreBothSealedOnAndNoThirdIsDue() {
        var (scene, remove, first) = Self.afterARemoval()
        let one = scene.write("a", Self.rotate(1, tips: [first], covers: [remove.hash]))
        let two = scene.write("b", Self.rotate(1, tips: [first], covers: [remove.hash]))
        let held: Set = [first, one.hash, two.hash]
        #expect(scene.state.newestRoot(held: held) == min(one.hash, two.hash))
        #expect(scene.state.tips(held: held) == [one.hash, two.hash].sorted())
        #expect(!scene.state.isRotationDue(held: held))
        #expect(isSealed(one.hash, to: "b", by: "a", in: scene) && !isSealed(one.hash, to: "c", by: "a", in: scene))
        scene.write(
            "a",
            .seal(
                Seal(
                    rotate: one.hash, ephemeral: .zero,
                    entries: [.init(recipient: LedgerScene.lane("b").storage, sealed: [])])))
        #expect(!isSealed(one.hash, to: "b", by: "a", in: scene))
    }

    @Test func aRootIsSealedToNobodyWhoLeft() {
        var (scene, remove, first) = Self.afterARemoval()
        let root = scene.write("a", Self.rotate(1, tips: [first], covers: [remove.hash]))
        #expect(isSealed(root.hash, to: "b", by: "a", in: scene))
        scene.write("b", .leave)
        #expect(!isSealed(root.hash, to: "b", by: "a", in: scene))
    }

    /// Others have written under it, so they carry it on under their own root.
    @Test func aRootOfADeviceThatWasRemovedSinceIsRescued() {
        var (scene, remove, first) = Self.afterARemoval()
        let rotate = scene.write("b", Self.rotate(1, tips: [first], covers: [remove.hash]))
        let held: Set = [first, rotate.hash]
        let second = scene.remove("b", by: "I", heads: [scene.records[2]])
        #expect(!scene.state.counts(rotate.hash))
        #expect(scene.state.tips(held: held) == [rotate.hash])
        #expect(scene.state.newestRoot(held: held) == first)
        #expect(scene.state.isRotationDue(held: held))
        let next = scene.write("a", Self.rotate(2, tips: [rotate.hash], covers: [remove.hash, second.hash]))
        #expect(scene.state.counts(rotate.hash) && scene.state.counts(next.hash))
        #expect(!scene.state.isRotationDue(held: held.union([next.hash])))
    }

    @Test func whatACountingRootGoesOnFromCounts() {
        var (scene, remove, first) = Self.afterARemoval()
        let thiefs = scene.write("b", Self.rotate(1, tips: [first], covers: [remove.hash]))
        let honest = scene.write("a", Self.rotate(2, tips: [thiefs.hash]))
        scene.remove("b", by: "I", heads: [scene.records[2]])
        #expect(scene.state.counts(thiefs.hash) && scene.state.counts(honest.hash))
    }

    /// A group with a second device "p" of the owner, and the members "m" and "n".
    private static func groupWithTwo() -> (scene: LedgerScene, second: LedgerRecord, first: RecordHash) {
        var scene = LedgerScene.group()
        let second = scene.enter("p", person: "P", first: "o", .lane("o"))
        let invite = scene.invite("o", keys: ["k", "l"])
        scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "k"))
        scene.enter("n", person: "N", first: "n", .ticket(invite, 1, key: "l"))
        return (scene, second, RecordHash(scene.zone.storage))
    }

    private static func sealed(_ root: RecordHash) -> LedgerAct {
        .seal(Seal(rotate: root, ephemeral: .zero, entries: []))
    }

    /// One of the owner's devices made a root, sealed it to members, and was removed before the other had it.
    @Test func aRootThatOnlyARemovedDeviceMadeIsGivenBack() {
        var (scene, second, first) = Self.groupWithTwo()
        let seen = scene.write("p", Self.rotate(1, tips: [first]))
        let unknown = RecordHash(LedgerScene.lane("x").storage)
        let hidden = scene.write("p", Self.rotate(2, tips: [seen.hash], covers: [unknown]))
        scene.remove("p", by: "P", heads: [second])
        let ring = RootRing(first: Self.held(first), later: [Self.held(seen.hash)])
        let owner = LedgerScene.lane("o").storage
        #expect(!scene.state.counts(seen.hash) && !scene.state.held.contains(seen.hash))
        #expect(scene.state.duties(of: scene.key("m"), holding: ring).seals[seen.hash]?.map(\.id) == [owner])
        #expect(scene.state.duties(of: scene.key("o"), holding: RootRing(first: Self.held(first))).isEmpty == false)
        scene.write("m", Self.sealed(seen.hash))
        #expect(scene.state.held.contains(seen.hash) && scene.state.returned == [seen.hash])
        #expect(!scene.state.counts(seen.hash), "until a root that counts goes on from it")
        scene.write("m", Self.sealed(hidden.hash))
        #expect(scene.state.returned == [seen.hash], "whom it shuts out is not known here")
        #expect(scene.state.held.contains(hidden.hash))
    }

    @Test func aMemberGivesFewRootsBack() {
        var (scene, second, first) = Self.groupWithTwo()
        let roots = (0..<6).map { _ in scene.write("p", Self.rotate(1, tips: [first])) }
        scene.remove("p", by: "P", heads: [second])
        for root in roots { scene.write("m", Self.sealed(root.hash)) }
        #expect(scene.state.returned.count == LedgerBounds().returns)
    }

    /// The state of the stored records alone.
    private static func stored(_ scene: LedgerScene) throws -> LedgerState {
        let held = Set(scene.state.held)
        var set = try #require(LedgerSet(genesis: scene.genesis))
        for record in scene.records where held.contains(record.hash) { set.insert(record) }
        return LedgerState(set)
    }

    /// A removed device let in another, or started afresh, before the device that removed it heard of that.
    @Test func aRootOfWhoCameByARemovedDeviceIsGivenBack() throws {
        var (scene, second, first) = Self.groupWithTwo()
        scene.enter("q", person: "P", first: "o", .lane("p"), succeeds: "p")
        scene.enter("r", person: "P", first: "o", .lane("q"))
        let low = scene.write("r", Self.rotate(1, tips: [first]))
        let high = scene.write("p", Self.rotate(2, tips: [low.hash]))
        scene.remove("p", by: "P", heads: [second])
        #expect(["q", "r"].allSatisfy { scene.state.standing(of: scene.key($0)) == .lapsed })
        let owner = LedgerScene.lane("o").storage
        for root in [low.hash, high.hash] {
            let ring = RootRing(first: Self.held(first), later: [Self.held(root)])
            #expect(scene.state.duties(of: scene.key("m"), holding: ring).seals[root]?.map(\.id) == [owner])
        }
        scene.write("m", Self.sealed(high.hash))
        #expect(scene.state.returned == [low.hash, high.hash] && !scene.state.counts(low.hash))
        // With the root, a device that had not heard of these devices hears how they came.
        #expect(try Self.stored(scene).held == scene.state.held)
        #expect(try Self.stored(scene).returned == [low.hash, high.hash])
        scene.write("o", Self.rotate(3, tips: [high.hash]))
        #expect(scene.state.counts(low.hash) && scene.state.counts(high.hash))
    }

    /// The root below a removed device's was made by a device that nobody let in.
    @Test func whatIsStoredOfAVoidRootStandsAlone() throws {
        var (scene, second, first) = Self.groupWithTwo()
        scene.enter("q", person: "P", first: "o", .lane("x"))
        let low = scene.write("q", Self.rotate(1, tips: [first]))
        let high = scene.write("p", Self.rotate(2, tips: [low.hash]))
        scene.remove("p", by: "P", heads: [second])
        scene.write("m", Self.sealed(high.hash))
        #expect(scene.state.standing(of: scene.key("q")) == .lapsed)
        #expect(!scene.state.held.contains(high.hash), "who lacks the lower one could not store it")
        #expect(try Self.stored(scene).held == scene.state.held)
        let ring = RootRing(first: Self.held(first), later: [Self.held(high.hash)])
        #expect(scene.state.duties(of: scene.key("n"), holding: ring).isEmpty)
    }

    /// A stolen device dismissed somebody beside what its root follows; and somebody unknown removed a device.
    @Test func aVoidRootBringsWhatItCovers() throws {
        var (scene, second, first) = Self.groupWithTwo()
        let dismissal = Word(member: scene.member("n"), role: .none, revision: 9, keep: .none)
        let word = scene.write("p", .word(dismissal))
        scene.enter("x", person: "X", first: "x", .founder)
        let strangers = scene.remove("x", by: "X")
        let covers = [word.hash, strangers.hash].sorted()
        let root = scene.write("p", Self.rotate(1, tips: [first], covers: covers), after: second.hash)
        scene.remove("p", by: "P", heads: [second])
        #expect(scene.state.held.allSatisfy { !covers.contains($0) })
        scene.write("m", Self.sealed(root.hash))
        #expect(covers.allSatisfy(scene.state.held.contains) && scene.state.returned == [root.hash])
        #expect(scene.state.role(of: scene.member("n")) == .member, "what it covers counts no more than before")
        #expect(try Self.stored(scene).held == scene.state.held)
        #expect(try Self.stored(scene).returned == [root.hash])
    }

    @Test(arguments: [false, true]) func aVoidRootBringsFew(isMany: Bool) {
        var (scene, second, first) = Self.groupWithTwo()
        var bounds = LedgerBounds()
        (bounds.returnedCovers, bounds.behindCover) = (6, 18)
        func held() -> [RecordHash] {
            guard var set = LedgerSet(genesis: scene.genesis, bounds: bounds) else { return [] }
            for record in scene.records { set.insert(record) }
            return LedgerState(set).held
        }
        let words = (0..<30).map { number in
            let word = Word(member: scene.member("n"), role: .none, revision: 9 + UInt64(number), keep: .none)
            return scene.write("p", .word(word), after: isMany ? second.hash : nil).hash
        }
        // All but one have more than 18 records that are not on the way, in whatever order they are looked at.
        let covers = isMany ? words : Array(words[17..<23])
        let root = scene.write("p", Self.rotate(1, tips: [first], covers: covers.sorted()), after: second.hash)
        scene.remove("p", by: "P", heads: [second])
        scene.write("m", Self.sealed(root.hash))
        #expect(held().contains(root.hash) && held().count(where: words.contains) == (isMany ? 6 : 18))
    }

    @Test func theWayOfAVoidRootIsNoLongerThanALane() {
        var (scene, second, first) = Self.groupWithTwo()
        var bounds = LedgerBounds()
        bounds.ownerRecords = 30
        func stored() -> [RecordHash] {
            guard var set = LedgerSet(genesis: scene.genesis, bounds: bounds) else { return [] }
            for record in scene.records { set.insert(record) }
            return LedgerState(set).held
        }
        var roots: [LedgerRecord] = []
        var below = first
        // Each root is in its own fork behind the Enter, so none is deep in the lane.
        for number in 1...40 {
            roots.append(scene.write("p", Self.rotate(UInt64(number), tips: [below]), after: second.hash))
            below = roots[number - 1].hash
        }
        scene.remove("p", by: "P", heads: [second])
        scene.write("m", Self.sealed(roots[28].hash))
        #expect(stored().contains(roots[28].hash) && stored().contains(roots[0].hash))
        scene.write("n", Self.sealed(roots[29].hash))
        #expect(!stored().contains(roots[29].hash))
    }

    @Test func aRootThatWasRescuedWasGivenBackAllTheSame() {
        var (scene, second, first) = Self.groupWithTwo()
        let roots = (0...LedgerBounds().returns).map { _ in scene.write("p", Self.rotate(1, tips: [first])) }
        scene.remove("p", by: "P", heads: [second])
        for root in roots {
            scene.write("m", Self.sealed(root.hash))
            if scene.state.returned.contains(root.hash) { scene.write("o", Self.rotate(2, tips: [root.hash])) }
        }
        #expect(roots.map { scene.state.counts($0.hash) } == roots.map { $0.hash != roots.last?.hash })
        #expect(scene.state.returned.isEmpty, "a member and a removed device ask for roots without end")
    }

    @Test func rootsThatNobodyKnowsAreGivenBackToo() {
        var (scene, second, first) = Self.groupWithTwo()
        let root = scene.write("p", Self.rotate(1, tips: [first]))
        scene.remove("p", by: "P", heads: [second])
        for number in 0..<LedgerBounds().returns {
            scene.write("m", Self.sealed(RecordHash(LedgerScene.lane("\(number)").storage)))
        }
        scene.write("m", Self.sealed(root.hash))
        #expect(scene.state.returned.isEmpty, "else it matters who knows the others")
        scene.write("n", Self.sealed(root.hash))
        #expect(scene.state.returned == [root.hash])
    }

    @Test func whatIsRefusedBringsNoRootBack() throws {
        var (scene, second, first) = Self.groupWithTwo()
        let stranger = scene.enter("x", person: "X", first: "x", .founder)
        let root = scene.write("p", Self.rotate(1, tips: [first], covers: [stranger.hash]))
        scene.remove("p", by: "P", heads: [second])
        scene.write("m", Self.sealed(root.hash))
        #expect(scene.state.held.contains(root.hash) && !scene.state.held.contains(stranger.hash))
        #expect(scene.state.returned.isEmpty)
        #expect(try Self.stored(scene).returned.isEmpty)
    }

    /// The owner's only device comes back from an old copy, with a fresh start.
    @Test func aRootThatTheOwnersDevicesForgotIsGivenBack() {
        var scene = LedgerScene.group()
        let invite = scene.invite("o", keys: ["k", "l"])
        scene.enter("m", person: "M", first: "m", .ticket(invite, 0, key: "k"))
        scene.enter("n", person: "N", first: "n", .ticket(invite, 1, key: "l"))
        let first = RecordHash(scene.zone.storage)
        let root = scene.write("o", Self.rotate(1, tips: [first]))
        func given(by name: String) -> [Bytes32] {
            let ring = RootRing(first: Self.held(first), later: [Self.held(root.hash)])
            return scene.state.duties(of: scene.key(name), holding: ring).seals[root.hash, default: []].map(\.id)
        }
        func seal(_ name: String, to other: String) {
            let entry = Seal.Entry(recipient: LedgerScene.lane(other).storage, sealed: [])
            scene.write(name, .seal(Seal(rotate: root.hash, ephemeral: .zero, entries: [entry])))
        }
        #expect(given(by: "m").isEmpty, "the device that made it has it")
        scene.enter("p", person: "P", first: "o", .lane("o"), succeeds: "o")
        for name in ["m", "n"] { #expect(given(by: name) == [LedgerScene.lane("p").storage]) }
        seal("m", to: "p")
        #expect(given(by: "m").isEmpty && !given(by: "n").isEmpty, "what a member sealed may not open")
        seal("p", to: "m")
        #expect(given(by: "n").isEmpty, "the owner's device has it")
        scene.enter("q", person: "P", first: "o", .lane("p"), succeeds: "p")
        #expect(!given(by: "n").isEmpty)
        scene.write("q", Self.rotate(2, tips: [root.hash]))
        #expect(given(by: "n").isEmpty, "it goes on from it")
    }

    private static let four = ["m", "n", "u", "v"]

    /// A group with a second device "p" of the owner, and four members.
    private static func groupOfFour() -> (scene: LedgerScene, first: RecordHash) {
        var scene = LedgerScene.group()
        scene.enter("p", person: "P", first: "o", .lane("o"))
        let invite = scene.invite("o", keys: four)
        for (index, name) in four.enumerated() {
            scene.enter(name, person: "person of \(name)", first: name, .ticket(invite, index, key: name))
        }
        return (scene, RecordHash(scene.zone.storage))
    }

    private static func sealed(_ root: RecordHash, to name: String) -> LedgerAct {
        let entry = Seal.Entry(recipient: LedgerScene.lane(name).storage, sealed: [])
        return .seal(Seal(rotate: root, ephemeral: .zero, entries: [entry]))
    }

    /// The device that made it may be gone, so only the members can give it to the owner's other one.
    @Test func aRootThatOneOfTheOwnersDevicesLacksIsGivenByThreeMembers() {
        var (scene, first) = Self.groupOfFour()
        let root = scene.write("p", Self.rotate(1, tips: [first]))
        let ring = RootRing(first: Self.held(first), later: [Self.held(root.hash)])
        func given(by name: String, _ scene: LedgerScene) -> [Bytes32] {
            scene.state.duties(of: scene.key(name), holding: ring).seals[root.hash, default: []].map(\.id)
        }
        var served = scene
        served.write("p", Self.sealed(root.hash, to: "o"))
        #expect(Self.four.allSatisfy { given(by: $0, served).isEmpty }, "the owner's devices need nobody")
        for name in Self.four.dropLast() {
            #expect(given(by: name, scene) == [LedgerScene.lane("o").storage])
            scene.write(name, Self.sealed(root.hash, to: "o"))
        }
        #expect(given(by: "v", scene).isEmpty)
    }

    /// Nobody else can see that a Seal does not open, and its sealer does not seal again.
    @Test func whatDoesNotOpenWasNotGiven() {
        var (scene, first) = Self.groupOfFour()
        let root = scene.write("p", Self.rotate(1, tips: [first]))
        scene.enter("q", person: "P", first: "o", .lane("o"))
        let junk = scene.write("p", Self.sealed(root.hash, to: "o"))
        let other = scene.write("p", Self.sealed(root.hash, to: "m"))
        let ring = RootRing(first: Self.held(first), later: [Self.held(root.hash)])
        func isGivenByMember(_ scene: LedgerScene) -> Bool {
            scene.state.duties(of: scene.key("m"), holding: ring).seals[root.hash, default: []]
                .contains { $0.id == LedgerScene.lane("o").storage }
        }
        #expect(!isSealed(root.hash, to: "o", by: "q", in: scene) && !isGivenByMember(scene))
        scene.write("o", .unopened([junk.hash, other.hash].sorted()))
        #expect(isSealed(root.hash, to: "o", by: "q", in: scene) && isGivenByMember(scene))
        #expect(!isSealed(root.hash, to: "o", by: "p", in: scene))
        #expect(!isSealed(root.hash, to: "m", by: "q", in: scene), "each speaks for itself alone")
    }

    @Test func aMemberGivesFewRootsToADeviceWhileAnotherHasThem() {
        var (scene, first) = Self.groupOfFour()
        let roots = (0..<6).map { _ in scene.write("p", Self.rotate(1, tips: [first])) }
        let ring = RootRing(first: Self.held(first), later: roots.map { Self.held($0.hash) })
        var given = 0
        for _ in roots {
            let due = scene.state.duties(of: scene.key("m"), holding: ring).seals
            guard let root = due.keys.min() else { break }
            #expect(due.count == LedgerBounds().returns - given)
            scene.write("m", Self.sealed(root, to: "o"))
            given += 1
        }
        #expect(given == LedgerBounds().returns)
    }
}
