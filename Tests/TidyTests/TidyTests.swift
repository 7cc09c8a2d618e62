import Testing

@Suite("Tidy")
struct TidyTests {
    @Test("the package keeps the rule", arguments: Rule.all)
    func packageKeeps(rule: Rule) {
        let tree = SourceTree.package
        #expect(tree.files.count > 30, "the package's files were not found")
        for violation in tree.files.flatMap({ rule.check($0, tree) }) {
            Issue.record("\(violation)")
        }
    }

    @Test("each rule sees what it is for", arguments: Sample.bad)
    func ruleSees(sample: Sample) {
        #expect(sample.violations.map(\.line) == [sample.line])
    }

    @Test("no rule cries wolf", arguments: Sample.good)
    func ruleAccepts(sample: Sample) {
        #expect(sample.violations.isEmpty)
    }

    @Test("each rule has samples of both kinds", arguments: Rule.all)
    func ruleHasSamples(rule: Rule) {
        #expect(Sample.bad.contains { $0.rule.name == rule.name })
        #expect(Sample.good.contains { $0.rule.name == rule.name })
    }

    @Test("a violation reads as compilers write it")
    func violationText() {
        let violation = Violation(path: "Sources/Gossip/Dialer.swift", line: 7, reason: "a tab")
        #expect("\(violation)" == "Sources/Gossip/Dialer.swift:7: a tab")
    }
}
