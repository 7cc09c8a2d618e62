import NodeDriver
import ProcessHarness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension ProcessTests {
    /// What `make` needs from the machine.
    @Suite struct Make {
        private static let root =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

        private static func has(_ program: String) -> Bool {
            (try? Command("sh", ["-c", "command -v \"$0\"", program]).run())?.status.isSuccess == true
        }

        /// A program that records its arguments in a file.
        private func recorder(_ fixture: Fixture, _ name: String, exits status: Int = 0) throws -> String {
            let path = try fixture.file(
                name, ["#!/bin/sh", "printf '%s\\n' \"$*\" >> '\(fixture.folder.file(name)).log'", "exit \(status)"])
            chmod(path, 0o755)
            return path
        }

        private func log(_ fixture: Fixture, _ name: String) -> [String] {
            String(decoding: FileTree.read(fixture.folder.file(name) + ".log") ?? [], as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }

        /// The formatter opens all its files at once, and an ordinary login may have 1024.
        @Test(.enabled(if: has("make"), "make is not installed"), arguments: ["lint", "format"])
        func theFormatterGetsFewFilesAtOnce(target: String) throws {
            let fixture = try Fixture()
            for status in [0, 1] {
                let swift = try recorder(fixture, "swift-\(status)", exits: status)
                // The test does not depend on the toolchain.
                let result = try Command("make", ["-C", Self.root, "-o", "setup", target, "SWIFT=\(swift)"]).run()
                #expect(result.status.isSuccess == (status == 0), "\(result.errorOutput)")
                let calls = log(fixture, "swift-\(status)")
                let files = calls.map { $0.split(separator: " ").filter { $0.hasSuffix(".swift") } }
                #expect(files.allSatisfy { (1...500).contains($0.count) })
                let begin = target == "lint" ? "format lint --strict" : "format --in-place"
                #expect(calls.allSatisfy { $0.hasPrefix(begin) })
                let list = "cd '\(Self.root)' && find Sources Tests -name '*.swift'"
                let all = try Command("sh", ["-c", list]).run().lines
                #expect(Set(files.flatMap { $0 }).isSuperset(of: all))
            }
        }

        /// The demo alone needs neither shells nor a tool for manual pages.
        @Test func theSetUpInstallsWhatTheTargetNeeds() throws {
            let fixture = try Fixture()
            let folder = fixture.folder.file("bin")
            mkdir(folder, 0o700)
            for name in ["sh", "sed", "head", "mktemp", "rm", "dirname", "stat", "id", "env", "cat", "uname"] {
                let found = try Command("sh", ["-c", "command -v \"$0\"", name]).run().lines
                guard let path = found.first, path.hasPrefix("/") else { continue }
                symlink(String(path), folder + "/" + name)
            }
            func stub(_ name: String, _ text: String) throws {
                try FileTree.write(Array("#!/bin/sh\n\(text)\n".utf8), to: folder + "/" + name)
                chmod(folder + "/" + name, 0o755)
            }
            try stub("swift", "echo 'Swift version 6.3'")
            try stub("pkg-config", "exit 0")
            try stub("apt-get", "printf '%s\\n' \"$*\" >> '\(fixture.folder.file("apt")).log'")
            // Root installs without it.
            try stub("sudo", "exec \"$@\"")
            for (arguments, expected) in [([], []), (["man"], ["scdoc"])] as [([String], [String])] {
                var command = Command(folder + "/sh", [Self.root + "/Scripts/setup.sh"] + arguments)
                command.environment = ["PATH": folder, "SUDO_USER": nil]
                let result = try command.run()
                #expect(result.status.isSuccess, "\(result.errorOutput)")
                guard FileTree.exists("/etc/debian_version") else { return }
                for package in expected { #expect(result.errorOutput.contains(package)) }
                for package in ["zsh", "fish", "chromium", "iproute2"] + (expected.isEmpty ? ["scdoc"] : []) {
                    #expect(!log(fixture, "apt").contains { $0.contains(package) }, "\(arguments): \(package)")
                }
            }
        }
    }
}
