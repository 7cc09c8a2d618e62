/// A file of the dashboard, as a browser gets it.
package struct SiteFile: Sendable {
    /// Behind `/dashboard/`; `index.html` is also the folder itself.
    package let name: String
    /// Its media type.
    package let type: String
    package let bytes: [UInt8]

    package init(name: String, type: String, bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.bytes = bytes
    }
}
