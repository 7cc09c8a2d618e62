/// A token for the local API, without its secret text.
package struct Token: Model {
    /// Eight hexadecimal digits.
    package var id = ""
    package var name: String?
    package var scopes: [String] = []
    /// The only account it gives access to; nil for all.
    package var accountId: String?
    /// In milliseconds since 1970.
    package var createdAt = 0
    /// Nil for never.
    package var expiresAt: Int?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("id", &id)
        field("name", &name)
        field("scopes", &scopes)
        field("accountId", &accountId)
        field("createdAt", &createdAt, .time)
        field("expiresAt", &expiresAt, .time)
    }
}

/// A new token with its text, which no later answer shows.
package struct MadeToken: Model {
    package var made = Token()
    package var token = ""

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        made.fields(&field)
        field("token", &token)
    }
}

/// A link that signs a browser in once.
package struct DashboardLink: Model {
    package var url = ""
    package var seconds = 0
    /// A file, readable by its owner alone, that redirects a browser to the link.
    package var page: String?

    package init() {}

    package mutating func fields(_ field: inout FieldCoder) {
        field("url", &url)
        field("seconds", &seconds)
        field.optional("page", &page)
    }
}
