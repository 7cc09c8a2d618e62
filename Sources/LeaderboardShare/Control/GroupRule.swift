/// A rule of the group's state that a test build can switch off, to show that the property tests see its absence.
///
/// Release builds have no switch: `isBroken` is then the constant false.
package enum GroupRule: String, CaseIterable, Sendable {
    /// A removed key is off the list, but its new records count.
    case removalVoidsNothing = "removal-voids-nothing"
    /// A friend admits the removed key again.
    case removalTakesAdmissionsOnly = "removal-takes-admissions-only"
    /// What a demoted key signs under its old role counts.
    case demotionVoidsNothing = "demotion-voids-nothing"
    /// A concurrent grant beats a demotion that it did not know.
    case laterGrantWins = "later-grant-wins"
    /// Not only grants can name a demotion.
    case admissionNamesDemotion = "admission-names-demotion"
    /// A new grant revives what the demotion made void.
    case grantRevives = "grant-revives"
    case viewerPosts = "viewer-posts"
    /// A revoked invitation still admits.
    case admissionOutlivesInvite = "admission-outlives-invite"
    /// An ex-owner's acts count.
    case transferDoesNotName = "transfer-does-not-name"
    case closeByExOwner = "close-by-ex-owner"
    /// A void invitation admits.
    case voidNotTransitive = "void-not-transitive"
    /// A taking spares what claims to be older.
    case dateTrusted = "date-trusted"
    /// What was named is void too.
    case namesIgnored = "names-ignored"
    /// Of two takings of one right both must name it.
    case namesIntersected = "names-intersected"
    /// A taking touches the current owner.
    case ownerNotExempt = "owner-not-exempt"
    /// A token's chain may grow.
    case widening = "widening"
    /// Admins make admins.
    case equalGivesEqual = "equal-gives-equal"
    /// The lower hashes up to the count are admitted.
    case usesJudged = "uses-judged"
    case suspensionVoids = "suspension-voids"
    case liftsOwnSuspension = "lifts-own-suspension"
    case transferByArrival = "transfer-by-arrival"
    case rootByArrival = "root-by-arrival"
    /// Two concurrent removals, and no third root.
    case removalsNeedNoRoot = "removals-need-no-root"
    /// A root is sealed to whoever asks.
    case sealToAll = "seal-to-all"
    /// A grant reopens a closed group.
    case closeReopens = "close-reopens"
}

/// The rules of one state; all on, except in a test build that broke one.
package struct GroupRules: Sendable {
    #if DEBUG || KACHAT_RULE_SWITCHES
        package var broken: GroupRule?

        package init(broken: GroupRule? = nil) { self.broken = broken }

        package func isBroken(_ rule: GroupRule) -> Bool { broken == rule }
    #else
        package init() {}

        @inline(__always)
        package func isBroken(_ rule: GroupRule) -> Bool { false }
    #endif
}
