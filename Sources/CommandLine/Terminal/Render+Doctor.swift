import Commands
import Node
import NodeModel

extension Render {
    /// One line per check with the advice below it, then a summary.
    static func doctor(_ checks: [Check], _ output: Output) {
        let width = checks.map(\.name.count).max() ?? 0
        for check in checks {
            output.line(
                Output.padded(check.state.rawValue, 7) + "  " + Output.padded(check.name, width) + "  "
                    + Terminal.harmless(check.text))
            if check.state != .ok, let advice = check.advice {
                output.line(Output.padded("", 11 + width) + "→ " + Terminal.harmless(advice))
            }
        }
        let failures = checks.count { $0.state == .failure }
        let warnings = checks.count { $0.state == .warning }
        output.line("")
        output.line(
            failures == 0
                ? warnings == 0 ? "All is well." : "It works; \(Wording.count(warnings, "warning"))."
                : "\(Wording.count(failures, "failure")), \(Wording.count(warnings, "warning")).")
    }
}
