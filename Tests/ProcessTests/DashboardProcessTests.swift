import NodeDriver
import ProcessHarness
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ProcessTests {
    /// The dashboard as bytes; `Tests/Dashboard` tries it in a browser.
    @Suite struct Dashboard {
        @Test func aLinkLetsInOnce() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let client = try APIClient(node)
            let link = try DashboardBrowser.link(node)
            // A prefetch does not use it up.
            #expect(try client.get(link, headers: ["Sec-Purpose": "prefetch"]).status == 503)
            #expect(try client.get(link, headers: ["Host": "evil.example:\(client.port)"]).code == "bad-host")
            #expect(try client.get(link).status == 303)
            let again = try client.get(link)
            #expect(again.status == 403)
            #expect(again.text.contains("kachat-node dashboard") && again.headers["set-cookie"] == nil)
            #expect(try client.get("/dashboard/login?code=").status == 403)
            #expect(try client.send("POST", "/dashboard/login", body: "{}").status == 405)
            // Guessing is slowed down, as for tokens.
            for _ in 0..<40 { _ = try client.get("/dashboard/login?code=00") }
            #expect(try client.get("/dashboard/login?code=00").status == 429)
            #expect(try client.get(DashboardBrowser.link(node)).status == 303)
        }

        /// Everybody on the machine may read a program's arguments.
        @Test func theLinkStandsInNoArguments() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let tools = fixture.folder.file("tools")
            try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
            // The stand-in looks at its argument as a browser would: the name, who may read the file, and its content.
            let seen = fixture.folder.file("seen")
            let browser = """
                #!/bin/sh
                { echo "$#"; echo "$1"; stat -c %a "$1"; cat "$1"; } > '\(seen).part' 2>&1
                mv '\(seen).part' '\(seen)'

                """
            try FileTree.write(Array(browser.utf8), to: tools + "/xdg-open")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tools + "/xdg-open")
            try openDashboard(fixture, node, tools, seen)
            let lines = String(decoding: try #require(FileTree.read(seen)), as: UTF8.self).split(separator: "\n")
            try #require(lines.count > 3 && lines[0] == "1" && lines[2] == "600", "\(lines)")
            let page = String(lines[1])
            #expect(page.hasPrefix(node.home + "/") && !page.contains("code="), "\(page)")
            let text = lines.dropFirst(3).joined(separator: "\n")
            let place = try #require(text.firstRange(of: "/dashboard/login?code="))
            let link = String(text[place.lowerBound...].prefix { $0 != "\"" })
            #expect(FileManager.default.fileExists(atPath: page))
            #expect(try APIClient(node).get(link).status == 303)
            try fixture.wait("the page is gone once it was used") { !FileManager.default.fileExists(atPath: page) }
            // An unused page goes with the node at the latest, or with the next one if the node was killed.
            for kills in [false, true] {
                try openDashboard(fixture, node, tools, seen)
                #expect(try pages(node).count == 1)
                if kills { try node.kill() } else { node.stop() }
                #expect(try pages(node).count == (kills ? 1 : 0))
                try node.start()
                #expect(try pages(node).isEmpty)
            }
        }

        /// Opens the dashboard, and waits until that folder's browser has noted what it saw.
        private func openDashboard(_ fixture: Fixture, _ node: DrivenNode, _ tools: String, _ seen: String) throws {
            try? FileManager.default.removeItem(atPath: seen)
            let terminal = try SetupTerminal(
                node, ["dashboard"], environment: ["DISPLAY": ":0", "PATH": tools + ":/usr/bin:/bin"])
            #expect(try terminal.end().isSuccess)
            try fixture.wait("the browser was started") { FileManager.default.fileExists(atPath: seen) }
        }

        private func pages(_ node: DrivenNode) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: node.home).filter { $0.hasSuffix(".html") }
        }

        @Test func aCookieAloneOpensNothing() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let client = try APIClient(node)
            let browser = try DashboardBrowser(node).headers
            #expect(try client.get("/v1/diagnostics", headers: browser).status == 200)
            var cookie = browser
            cookie["X-Kachat-Key"] = nil
            #expect(try client.get("/v1/status", headers: cookie).status == 401)
            var key = browser
            key["Cookie"] = nil
            #expect(try client.get("/v1/status", headers: key).status == 401)
            cookie["X-Kachat-Key"] = String(repeating: "0", count: 64)
            #expect(try client.get("/v1/status", headers: cookie).status == 401)
            for site in ["same-site", "cross-site", "none"] {
                let other = browser.merging(["Sec-Fetch-Site": site]) { $1 }
                #expect(try client.get("/v1/status", headers: other).code == "bad-origin", "\(site)")
            }
            let mine = browser.merging(["Sec-Fetch-Site": "same-origin"]) { $1 }
            #expect(try client.get("/v1/status", headers: mine).status == 200)
            let foreign = browser.merging(["Origin": "http://127.0.0.1:1"]) { $1 }
            #expect(try client.send("PATCH", "/v1/device", headers: foreign, body: "{\"name\":\"x\"}").status == 403)
            #expect(try client.send("PATCH", "/v1/device", headers: browser, body: "{\"name\":\"new\"}").status == 200)
        }

        /// Apps may not give the account away, whatever their token allows.
        @Test func signsOutAndAloneMayPair() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let client = try APIClient(node)
            let browser = try DashboardBrowser(node).headers
            let app = try APIClient(node, scopes: "admin")
            #expect(try app.get("/v1/pairing").code == "not-allowed")
            #expect(try app.send("POST", "/v1/pairing", body: "{}").code == "not-allowed")
            #expect(try client.get("/v1/pairing", headers: browser).text == "{\"state\":\"none\"}")
            let short = try client.send("POST", "/v1/pairing", headers: browser, body: "{\"timeout\":1}")
            #expect(short.status == 200)
            let lines = short.text.split(separator: "\n")
            #expect(lines.first?.contains("\"seeking\"") == true && lines.last?.contains("\"timed-out\"") == true)
            #expect(try client.send("DELETE", "/v1/token", headers: browser).status == 200)
            #expect(try client.get("/v1/status", headers: browser).status == 401)
            #expect(try app.get("/v1/status").status == 200)
        }

        private struct Pairing: Decodable { var state: String }

        private func pairing(_ node: DrivenNode) throws -> String {
            try node.object(Pairing.self, ["pairing", "show"]).state
        }

        /// Starts to pair, and leaves the rest of the answer to the caller.
        private func startPairing(_ node: DrivenNode, _ browser: [String: String]) throws -> TCPProbe {
            let client = try APIClient(node)
            let probe = try TCPProbe(port: client.port)
            probe.send(Array((client.head("POST", "/v1/pairing", headers: browser, bodyBytes: 2) + "{}").utf8))
            var text = ""
            while !text.contains("\"seeking\""), case let bytes = probe.receive(upTo: 1), !bytes.isEmpty {
                text += String(decoding: bytes, as: UTF8.self)
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK"))
            return probe
        }

        @Test func whoGoesAwayOrIsSignedOutPairsNoMore() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let browser = try DashboardBrowser(node).headers
            var probe: TCPProbe? = try startPairing(node, browser)
            #expect(try pairing(node) == "seeking")
            withExtendedLifetime(probe) {}
            probe = nil
            try fixture.wait("nobody hears of it") { try pairing(node) == "over" }
            let second = try startPairing(node, browser)
            #expect(try APIClient(node).send("DELETE", "/v1/token", headers: browser).status == 200)
            try fixture.wait("who is signed out pairs no more") { try pairing(node) == "over" }
            var rest: [UInt8] = []
            while !String(decoding: rest, as: UTF8.self).contains("not-allowed") {
                let more = second.receive(upTo: 1)
                try #require(!more.isEmpty, "it is told why: \(String(decoding: rest, as: UTF8.self))")
                rest += more
            }
        }

        @Test func whoWasLetInStaysInAcrossARestartUntilRevoked() throws {
            struct Token: Decodable {
                var id: String
                var name: String?
            }
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let browser = try DashboardBrowser(node).headers
            let secret = try #require(browser["X-Kachat-Key"])
            let tokens = try #require(FileTree.read(node.home + "/tokens.json"))
            #expect(!String(decoding: tokens, as: UTF8.self).contains(secret))
            node.stop()
            let address = try #require(node.api)
            node.runArguments = node.runArguments.dropLast() + [address]
            try node.start()
            #expect(try APIClient(node).get("/v1/status", headers: browser).status == 200)
            let token = try #require(node.objects(Token.self, ["token", "list"]).first { $0.name == "dashboard" })
            try node.run(["token", "revoke", token.id])
            #expect(try APIClient(node).get("/v1/status", headers: browser).status == 401)
        }

        @Test func itsFilesAreThoseOfTheSource() throws {
            let fixture = try Fixture()
            let node = try fixture.started("one")[0]
            let client = try APIClient(node)
            let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            let folder = root + "/Sources/CDashboard/Files"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(names.contains("index.html"))
            for name in names {
                let answer = try client.get("/dashboard/" + name)
                let file = try #require(FileManager.default.contents(atPath: folder + "/" + name))
                // They are not compared in the expectation: their bytes would fill the log.
                let isTheSame = answer.body == Array(file)
                #expect(isTheSame, "\(name) is as it was built in: build anew")
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
                #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                let tag = try #require(answer.headers["etag"])
                #expect(try client.get("/dashboard/" + name, headers: ["If-None-Match": tag]).status == 304)
            }
            #expect(try client.get("/").headers["location"] == "/dashboard/")
            #expect(try client.get("/dashboard").headers["location"] == "/dashboard/")
            #expect(try client.get("/dashboard/").text.hasPrefix("<!doctype html>"))
            for name in ["nothing", "../main.swift", "%2e%2e/x", "main.js/"] {
                #expect(try client.get("/dashboard/" + name).status == 404, "\(name)")
            }
            #expect(try client.get("/x").code == "not-found")
        }

        /// The place of playwright, which drives Debian's chromium (Scripts/setup.sh installs both where it can).
        private static let browser: (python: String, scripts: String)? = {
            let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
            let folder = root + "/.build/python"
            let isReady = FileManager.default.fileExists(atPath: folder + "/ready")
            return isReady ? (folder + "/bin/python", root + "/Tests/Dashboard/") : nil
        }()

        @Test(
            .enabled(
                if: browser != nil, "chromium or playwright is missing: Scripts/setup.sh brings them, or says why"),
            arguments: ["dashboard_test.py", "boards_test.py", "settings_test.py"])
        func itWorksInABrowser(script: String) throws {
            let (python, scripts) = try #require(Self.browser)
            let binary = try #require(NodeBinary.besideThisProgram())
            let result = try Command(python, [scripts + script, binary.path]).run(within: .seconds(1_500))
            #expect(result.status.isSuccess, "\(result.output)\n\(result.errorOutput)")
        }
    }
}
