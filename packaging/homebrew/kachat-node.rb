# Homebrew on Linux, from this source tree:
#
#   brew install --HEAD --formula ./packaging/homebrew/kachat-node.rb
#
# A release adds `url` and `sha256`. The node itself runs on Linux (epoll, signalfd); on a Mac it runs in a virtual
# machine or a container (docs/INSTALL.md).
class KachatNode < Formula
  desc "Sync node for chats and leaderboards on the local network"
  license "Apache-2.0"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git, branch: "main"

  depends_on "pkgconf" => :build
  depends_on "scdoc" => :build
  depends_on "swift" => :build
  depends_on "libmicrohttpd"
  depends_on "libsodium"
  depends_on :linux
  depends_on "qrencode"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--static-swift-stdlib", "--product", "kachat-node"
    ENV["PREFIX"] = prefix
    system "Scripts/install.sh", "install"
  end

  service do
    run [opt_bin/"kachat-node", "run"]
    keep_alive true
  end

  test do
    system bin/"kachat-node", "--home", testpath/"home", "init", "--name", "test"
    assert_match "stopped", shell_output("#{bin}/kachat-node --home #{testpath}/home status --json")
  end
end
