/// What is kept of a token for the local API.
package struct Token: Model {
    /// Eight hexadecimal digits, to name it by.
    package var id = ""
    package var name: String?
    package var scopes: [String] = []
    /// The only account that it is good for; nil for all.
    package var accountId: String?
    /// In milliseconds since 1970.
    package var createdAt = 0
    /// Nil: never.
    package var expiresAt: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("id", &id)
        field("name", &name)
        field("scopes", &scopes)
        field("accountId", &accountId)
        field("createdAt", &createdAt)
        field("expiresAt", &expiresAt)
    }
}

/// A token that was made, with its text, which is told this once.
package struct MadeToken: Model {
    package var made = Token()
    package var token = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        made.fields(&field)
        field("token", &token)
    }
}

/// A link that lets a browser in once.
package struct DashboardLink: Model {
    package var url = ""
    /// For how long it does.
    package var seconds = 0
    /// A file that takes a browser there, and that nobody else can read.
    package var page: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("url", &url)
        field("seconds", &seconds)
        field.optional("page", &page)
    }
}
