import NodeDriver
import ProcessHarness
import Testing

extension ProcessTests {
    /// `Scripts/install.sh`, which `make install` and the packages use.
    @Suite struct Install {
        private static let script =
            #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast(3).joined(separator: "/") + "/Scripts/install.sh"

        private static func has(_ program: String) -> Bool {
            (try? Command("sh", ["-c", "command -v \"$0\"", program]).run())?.status.isSuccess == true
        }

        private func run(_ word: String, _ fixture: Fixture, zshFolder: String? = nil) throws {
            var command = Command("sh", [Self.script, word])
            command.environment = [
                "PREFIX": "/usr", "DESTDIR": fixture.folder.file("root"), "PROGRAM": fixture.binary.path,
                "ZSH_FOLDER": zshFolder,
            ]
            let result = try command.run()
            try #require(result.status.isSuccess, "\(result.errorOutput)")
        }

        private func files(below folder: String) throws -> [String] {
            try Command("find", [folder, "-type", "f"]).run().lines.map { String($0.dropFirst(folder.count)) }.sorted()
        }

        private func text(_ path: String) throws -> String {
            String(decoding: try #require(FileTree.read(path), "\(path)"), as: UTF8.self)
        }

        @Test(.enabled(if: has("strip") && has("scdoc"), "strip(1) or scdoc(1) is not installed"))
        func allIsWhereItIsLookedForAndGoesAgain() throws {
            let fixture = try Fixture()
            let root = fixture.folder.file("root")
            try run("install", fixture)
            let brought = try files(below: root)
            #expect(
                brought.filter { !$0.hasPrefix("/usr/share/doc/kachat-node/") } == [
                    "/usr/bin/kachat-node", "/usr/lib/systemd/user/kachat-node.service",
                    "/usr/share/bash-completion/completions/kachat-node",
                    "/usr/share/fish/vendor_completions.d/kachat-node.fish", "/usr/share/man/man1/kachat-node.1",
                    "/usr/share/zsh/site-functions/_kachat-node",
                ])
            #expect(brought.contains("/usr/share/doc/kachat-node/README.md"))
            #expect(
                try text(root + "/usr/lib/systemd/user/kachat-node.service").contains("=/usr/bin/kachat-node run\n"))

            // The page and the completions are those of the installed program.
            let program = root + "/usr/bin/kachat-node"
            let names = try Command(program, ["help", "--man"]).run().lines.filter { $0.hasPrefix("## ") }
            let page = try text(root + "/usr/share/man/man1/kachat-node.1").replacing("\\", with: "")
            #expect(names.count > 50)
            for name in names { #expect(page.contains(".SS \(name.dropFirst(3))\n"), "\(name)") }
            let completion = root + "/usr/share/bash-completion/completions/kachat-node"
            #expect(try text(completion) == Command(program, ["completions", "bash"]).run().output)
            // bash-completion loads it like this in an interactive shell.
            let typed =
                "source \"$0\"; complete -p kachat-node; COMP_WORDS=(kachat-node sta); COMP_CWORD=1; "
                + "_kachat_node; echo \"${COMPREPLY[@]}\""
            var bash = Command("bash", ["--norc", "-ic", typed, completion])
            bash.environment = ["PATH": root + "/usr/bin:/usr/bin:/bin"]
            let shell = try bash.run()
            #expect(shell.lines == ["complete -o filenames -F _kachat_node kachat-node", "status"])

            try run("uninstall", fixture)
            #expect(try files(below: root).isEmpty)
        }

        @Test(.enabled(if: has("strip"), "strip(1) is not installed"))
        func debianLooksForFunctionsOfPackagesElsewhere() throws {
            let fixture = try Fixture()
            try run("install", fixture, zshFolder: "vendor-completions")
            #expect(FileTree.exists(fixture.folder.file("root/usr/share/zsh/vendor-completions/_kachat-node")))
            try run("uninstall", fixture, zshFolder: "vendor-completions")
            #expect(try files(below: fixture.folder.file("root")).isEmpty)
        }
    }
}
