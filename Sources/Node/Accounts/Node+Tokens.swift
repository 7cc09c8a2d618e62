import NodeCore

/// Who may use the local API.
extension Node {
    /// Where a request may look at one account only: an argument that no command line can give, since it has no dashes.
    static let onlyAccount = "only account"

    /// Changes the tokens, in the file first.
    func changeTokens<Result>(
        _ change: (inout TokenList) throws(NodeError) -> Result
    ) throws(NodeError) -> Result {
        var changed = tokens
        let result = try change(&changed)
        if changed != tokens { try TokenFile.save(changed, to: home) }
        tokens = changed
        return result
    }
}
