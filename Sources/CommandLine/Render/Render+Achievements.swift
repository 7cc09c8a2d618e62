import Commands
import Node

/// Achievements.
extension Render {
    static func achievement(_ value: JSONValue, _ output: Output) {
        func text(_ name: String) -> String { Terminal.harmless(value[name]?.text ?? "-") }
        if let id = value["id"]?.text {
            let progress = value["progress"]
            let tier = progress?["currentTier"]?.text.map { Terminal.harmless($0) } ?? "-"
            let current = progress?["currentValue"]?.integer ?? 0
            return output.line("\(Terminal.harmless(id))  \(Output.padded(tier, 10))  \(current)")
        }
        output.line(
            "\(Output.padded(text("category"), 24))  \(value["unlocked"]?.integer ?? 0) of \(value["count"]?.integer ?? 0)"
                + "  \(value["unlockedTiers"]?.integer ?? 0) tiers  highest \(text("highestTier"))")
    }
}
