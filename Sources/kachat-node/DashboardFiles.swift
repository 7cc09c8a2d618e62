import CDashboard
import Commands

/// The dashboard's files, embedded in the program.
enum DashboardFiles {
    @Sendable static func all() -> [SiteFile] {
        var files: [SiteFile] = []
        while let asset = kachat_asset_at(files.count)?.pointee {
            files.append(
                SiteFile(
                    name: String(cString: asset.name), type: String(cString: asset.type),
                    bytes: Array(UnsafeBufferPointer(start: asset.bytes, count: asset.count))))
        }
        return files
    }
}
