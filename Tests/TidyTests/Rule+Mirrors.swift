extension Rule {
    /// Test targets that mirror no single module.
    static let freeTestTargets: Set<String> = ["TidyTests", "ProcessTests", "DoorTests", "TestScale"]

    /// `Tests/GossipTests/TrickleTests.swift` tests `Sources/Gossip/…/Trickle….swift`, so either leads to the other.
    /// The first word of the test's name has to be that of some source file or folder; helpers are not called `…Tests`.
    static let testMirrors = Rule(name: "tests mirror sources") { file, tree in
        guard file.isTest, file.isSwift, let target = file.target, !freeTestTargets.contains(target) else { return [] }
        let module = String(target.dropLast(5))
        let names = tree.sourceNames(of: module)
        guard target.hasSuffix("Tests"), !names.isEmpty else {
            return [Violation(path: file.path, line: 1, reason: "\(target) mirrors no module")]
        }
        guard file.baseName.hasSuffix("Tests") else { return [] }
        let subject = file.baseName.dropLast(5).firstWord
        guard !names.contains(where: { $0.hasPrefix(subject) }) else { return [] }
        return [
            Violation(
                path: file.path, line: 1,
                reason: "no file of \(module) starts with \(subject): name it after its subject")
        ]
    }
}

extension Substring {
    /// `Noise` of `NoiseVector`, `TCP` of `TCPProbe`.
    fileprivate var firstWord: String {
        let characters = Array(self)
        let end = characters.indices.dropFirst().first { index in
            guard characters[index].isUppercase else { return false }
            let startsWord = index + 1 < characters.count && characters[index + 1].isLowercase
            return characters[index - 1].isLowercase || startsWord
        }
        return String(characters[..<(end ?? characters.count)])
    }
}
