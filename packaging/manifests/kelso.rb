class Kelso < Formula
  desc "Engine for English draughts (8x8 checkers)"
  homepage "{address}"
  version "{version}"
  license "MIT"

  on_macos do
    on_arm do
      url "{download}/kelso-{version}-aarch64-apple-darwin.tar.gz"
      sha256 "{aarch64-apple-darwin.tar.gz}"
    end
    on_intel do
      url "{download}/kelso-{version}-x86_64-apple-darwin.tar.gz"
      sha256 "{x86_64-apple-darwin.tar.gz}"
    end
  end

  on_linux do
    on_arm do
      url "{download}/kelso-{version}-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "{aarch64-unknown-linux-gnu.tar.gz}"
    end
    on_intel do
      url "{download}/kelso-{version}-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "{x86_64-unknown-linux-gnu.tar.gz}"
    end
  end

  def install
    bin.install "kelso"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/kelso.bash" => "kelso"
    zsh_completion.install "completions/_kelso"
    fish_completion.install "completions/kelso.fish"
    doc.install Dir["docs"], "README.md", "THIRD-PARTY.txt"
  end

  test do
    assert_match "uciok", pipe_output(bin/"kelso", "uci\nquit\n")
  end
end
