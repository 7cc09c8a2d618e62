/// How a new recovery phrase is shown, once.
package enum PhraseText {
    package static func explanation(_ words: [String], program: String) -> String {
        let columns = 4
        let rows = (words.count + columns - 1) / columns
        var lines = ["", "The recovery phrase of your new account, \(words.count) words:", ""]
        for row in 0..<rows {
            let cells = stride(from: row, to: words.count, by: rows).map { index in
                let number = index + 1 < 10 ? " \(index + 1)" : "\(index + 1)"
                return "\(number) \(words[index])" + String(repeating: " ", count: max(1, 12 - words[index].count))
            }
            lines.append("  " + cells.joined())
        }
        lines += [
            "",
            "Write it down on paper and keep it safe: whoever has these words has the account and all its messages.",
            "Your other devices join with them (`kachat-node init --phrase-file F`). If all your devices are lost, the",
            "words bring the account back; nothing and nobody else can. `\(program) account phrase` shows them again.",
        ]
        return lines.joined(separator: "\n")
    }
}
