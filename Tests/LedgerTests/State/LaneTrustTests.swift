import Ledger
import NodeCore
import Testing

/// Whether a lane stands: endorsement, removal, succession, bounds.
@Suite struct LaneTrustTests {
    @Test func aLaneStandsByThePersonAndByALaneThatStands() {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        scene.enter("c", person: "I", first: nil, .lane("b"))
        scene.enter("x", person: "I", first: nil, .lane("y"))
        #expect(scene.state.standing(of: scene.key("a")) == .active)
        #expect(scene.state.standing(of: scene.key("c")) == .active)
        #expect(scene.state.standing(of: scene.key("x")) == .lapsed)
        #expect(scene.state.standingLanes.count == 3)
    }

    @Test func aRemovedLaneTakesDownWhatItLetInButItsChildren() {
        var scene = LedgerScene.account()
        let own = scene.enter("b", person: "I", first: nil, .lane("a"))
        let kept = scene.enter("kept", person: "I", first: nil, .lane("b"))
        scene.enter("later", person: "I", first: nil, .lane("b"))
        let remove = scene.remove("b", by: "I", heads: [own], children: [kept])
        let state = scene.state
        #expect(state.standing(of: scene.key("b")) == .removed)
        #expect(state.standing(of: scene.key("kept")) == .active)
        #expect(state.standing(of: scene.key("later")) == .lapsed)
        #expect(state.counts(remove.hash) && state.covers == [remove.hash])
        scene.enter("later", person: "I", first: nil, .lane("a"))
        #expect(scene.state.standing(of: scene.key("later")) == .active)
        scene.enter("b", person: "I", first: nil, .person)
        #expect(scene.state.standing(of: scene.key("b")) == .removed, "for ever")
    }

    @Test func onlyThePersonRemoves() {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        let remove = scene.remove("b", by: "a")
        #expect(scene.state.standing(of: scene.key("b")) == .active)
        #expect(scene.state.why(remove.hash) == .foreign)
    }

    @Test func aFreshStartTakesThePlaceOfItsLaneAndLapsesWithIt() {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        scene.enter("b2", person: "I", first: nil, .lane("b"), succeeds: "b")
        #expect(scene.state.standing(of: scene.key("b")) == .succeeded)
        var both = scene
        scene.remove("b", by: "I")
        #expect(scene.state.standing(of: scene.key("b")) == .removed)
        #expect(scene.state.standing(of: scene.key("b2")) == .lapsed)
        both.remove("b", "b2", by: "I")
        #expect(both.state.standing(of: both.key("b2")) == .removed)
    }

    @Test func nobodyClaimsToSucceedALaneThatDidNotEndorseIt() {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        scene.enter("z", person: "I", first: nil, .lane("a"), succeeds: "b")
        #expect(scene.state.standing(of: scene.key("b")) == .active)
    }

    @Test func anEndorsementIsForOneLane() {
        var scene = LedgerScene.account()
        let record = scene.enter("z", person: "I", first: nil, .lane("a"), endorsedAs: "b")
        #expect(throws: LedgerError.badSignature) { try LedgerRecord(encoded: record.encoded) }
    }

    @Test func whatIsNotBehindAHeadOfItsRemovalIsVoid() {
        var scene = LedgerScene.account()
        scene.enter("b", person: "I", first: nil, .lane("a"))
        let early = scene.write("b", .seal(Seal(rotate: RecordHash(scene.zone.storage), ephemeral: .zero, entries: [])))
        let late = scene.write("b", .leave)
        scene.remove("b", by: "I", heads: [early])
        #expect(scene.state.counts(early.hash))
        #expect(scene.state.why(late.hash) == .removed)
    }

    @Test func aRecordWithoutTheOneBeforeItIsNotJudged() {
        var scene = LedgerScene.account()
        let first = scene.make("a", prev: scene.records[1].hash, .leave)
        let second = scene.make("a", prev: first.hash, .end(LedgerScene.lane("r")))
        scene.insert(second)
        #expect(scene.state.why(second.hash) == .unlinked)
        #expect(scene.set.missing == [first.hash])
        scene.insert(first)
        #expect(scene.state.counts(second.hash))
        #expect(scene.set.missing == [])
    }

    @Test func sixtyFourLanesHaveAPlaceThoseOfThePersonFirst() {
        var scene = LedgerScene.account()
        for number in 0..<80 { scene.enter("f\(number)", person: "I", first: nil, .lane("a")) }
        #expect(scene.state.standingLanes.count == 64)
        scene.enter("phrase", person: "I", first: nil, .person)
        #expect(scene.state.standing(of: scene.key("phrase")) == .active)
        let displaced = (0..<80).filter { scene.state.standing(of: scene.key("f\($0)")) == .displaced }
        #expect(displaced.count == 18)
    }

    @Test func aReplicaIsEndedAndLetsNobodyIn() {
        var scene = LedgerScene.account()
        let entered = scene.enter("r", person: "I", first: nil, .lane("a"), isReplica: true)
        scene.enter("z", person: "I", first: nil, .lane("r"))
        let replica = LaneKey(LedgerScene.lane("r"), of: scene.state.owner, isReplica: true)
        #expect(scene.state.standing(of: replica) == .active)
        #expect(scene.state.standing(of: scene.key("z")) == .lapsed)
        let rotate = scene.make("r", prev: entered.hash, .end(LedgerScene.lane("a")))
        scene.insert(rotate)
        #expect(!scene.state.counts(rotate.hash))
        let end = scene.write("a", .end(LedgerScene.lane("r")))
        #expect(scene.state.standing(of: replica) == .left)
        #expect(scene.state.covers == [end.hash])
    }
}
