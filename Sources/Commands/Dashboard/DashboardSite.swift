import Glibc
import Node
import NodeCore

/// Serves the dashboard's files, which are the same for everybody, and the links that sign a browser in. The page gets
/// its data from the API.
final class DashboardSite {
    private struct Served {
        let file: SiteFile
        let tag: EntityTag
    }

    private let service: NodeService
    private let files: [String: Served]

    init(files: [SiteFile], service: NodeService) {
        self.service = service
        // Removes pages of a node that was killed.
        for name in Files.names(in: service.node.home.path) where HomeFolder.isLoginPage(name) {
            unlink(service.node.home.path + "/" + name)
        }
        self.files = Dictionary(files.map { ($0.name, Served(file: $0, tag: EntityTag(of: $0.bytes))) }) { $1 }
    }

    /// The time for the next call of `tidy`.
    package var deadline: MonotonicTime? { service.loginCodes.deadline }

    /// Removes the pages of used and expired links.
    package func tidy(now: MonotonicTime) {
        guard let deadline, deadline <= now else { return }
        for page in service.loginCodes.takeStale(now) { unlink(page) }
    }

    package func close(now: MonotonicTime) {
        service.loginCodes.dropAll()
        tidy(now: now)
    }

    /// Nil if the path is not the dashboard's.
    ///
    /// - Parameter noteFailure: called for an invalid link.
    package func answer(
        _ request: HTTPRequest, _ target: HTTPTarget, port: UInt16, now: MonotonicTime,
        noteFailure: () throws(Problem) -> Void
    ) throws(Problem) -> HTTPAnswer? {
        guard !files.isEmpty, let first = target.path.first, first.isEmpty || first == "dashboard" else { return nil }
        guard ["GET", "HEAD"].contains(request.method) else { throw .otherMethod(["GET", "HEAD"]) }
        switch target.path.dropFirst().joined(separator: "/") {
        case _ where first.isEmpty: return target.path.count == 1 ? redirect(to: "/dashboard/") : nil
        case "" where target.path.count == 1: return redirect(to: "/dashboard/")
        case "": return document("index.html", request)
        case "login": return try login(request, target, port: port, now: now, noteFailure)
        case let name: return document(name, request)
        }
    }

    private func document(_ name: String, _ request: HTTPRequest) -> HTTPAnswer? {
        guard let served = files[name] else { return nil }
        let headers = Self.headers + [("ETag", served.tag.text), ("Cache-Control", "no-cache")]
        if served.tag.matches(request.header("if-none-match")) {
            return HTTPAnswer(status: 304, headers: headers, body: .bytes([]))
        }
        return HTTPAnswer(
            status: 200, headers: headers + [("Content-Type", served.file.type)], body: .bytes(served.file.bytes))
    }

    private func redirect(to place: String) -> HTTPAnswer {
        HTTPAnswer(status: 303, headers: Self.headers + [("Location", place)], body: .bytes([]))
    }

    // MARK: Signing in

    private func login(
        _ request: HTTPRequest, _ target: HTTPTarget, port: UInt16, now: MonotonicTime,
        _ noteFailure: () throws(Problem) -> Void
    ) throws(Problem) -> HTTPAnswer {
        // A browser that prefetches must not use up the link.
        guard request.method == "GET", !request.has("sec-purpose"), !request.has("purpose") else {
            return page(503, LoginPage.notYet)
        }
        let code = target.query.first { $0.name == "code" }?.value ?? ""
        guard service.loginCodes.take(code, now: now) else {
            try noteFailure()
            return page(403, LoginPage.refused)
        }
        var random = SystemRandom()
        let secret = DashboardSecret(random: &random)
        do {
            try service.changeTokens { [node = service.node] list throws(NodeError) in
                let wall = node.clock.wall()
                try list.add(dashboard: secret, id: Hex.encode(random.bytes(4)), wall: wall)
            }
        } catch {
            throw Problem(error)
        }
        // Browsers do not send fragments: the key stays in the browser, and its page removes it from the URL at once.
        var answer = redirect(to: "/dashboard/#key=" + secret.key)
        answer.headers.append(("Set-Cookie", secret.setCookie(port: port)))
        answer.headers.append(("Cache-Control", "no-store"))
        return answer
    }

    private func page(_ status: Int, _ text: String) -> HTTPAnswer {
        let headers = Self.headers + [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")]
        return HTTPAnswer(status: status, headers: headers, body: .bytes(Array(text.utf8)))
    }

    /// No content from elsewhere, nothing inline, no frames, no referrer.
    private static let headers: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                + "require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]
}

/// A file of the dashboard, as a browser gets it.
package struct SiteFile: Sendable {
    /// Its path below `/dashboard/`; `index.html` also serves the folder itself.
    package let name: String
    package let type: String
    package let bytes: [UInt8]

    package init(name: String, type: String, bytes: [UInt8]) {
        self.name = name
        self.type = type
        self.bytes = bytes
    }
}
