/// A rule of reconciliation that a test build can switch off, to show that the property test detects its absence. Each
/// case describes the behaviour with the rule broken.
///
/// Release builds have no switch: `isBroken` is then the constant false.
package enum RuleSwitch: String, CaseIterable, Sendable {
    /// Fingerprints are compared only if both sides claim to have everything.
    case compareOnlyClean = "compare-only-clean"
    /// A page carries rows above the sender's head.
    case pageBeyondHead = "page-beyond-head"
    /// Healing ends at the heads.
    case peekWithoutRangeReach = "peek-without-range-reach"
    /// A lane counts only after both sides have committed a page of it.
    case union = "union"
    /// A Retire is dropped when its own lane is retired.
    case retirePrunable = "retire-prunable"
    /// Retires travel only as rows of their lanes.
    case retireNotFirst = "retire-not-first"
    /// `through` is ignored.
    case retireDropsAll = "retire-drops-all"
    /// No effective values, no raising.
    case noEffectiveStore = "no-effective-store"
    /// A fresh start keeps key and lane.
    case sameKeyOnFreshStart = "same-key-on-fresh-start"
    /// The device keeps writing a retired lane.
    case ignoreOwnRetirement = "ignore-own-retirement"
    /// Two devices keep using one key.
    case ignoreClone = "ignore-clone"
    /// The device keeps writing a lane that others saw longer, or forked.
    case ignoreOwnFork = "ignore-own-fork"
    /// A segment's slot has no tag.
    case segmentTag = "segment-tag"
    /// Both ends of a session sign the same text.
    case helloWithoutSide = "hello-without-side"
    /// The body of HELLO is not signed.
    case helloWithoutBody = "hello-without-body"
}

/// The rules of one store or engine. All apply, except in a test build that broke one.
package struct Rules: Sendable {
    #if DEBUG || KACHAT_RULE_SWITCHES
        package var broken: RuleSwitch?

        package init(broken: RuleSwitch? = nil) { self.broken = broken }

        package func isBroken(_ rule: RuleSwitch) -> Bool { broken == rule }
    #else
        package init() {}

        @inline(__always)
        package func isBroken(_ rule: RuleSwitch) -> Bool { false }
    #endif
}
