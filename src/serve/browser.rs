//! Opening the page in a browser.

use std::io;
use std::process::{Command, Stdio};
use std::thread;

/// Opens an address in the default browser, without waiting for it.
///
/// # Errors
///
/// When no program can open it, as on a machine without a screen.
pub fn open(url: &str) -> io::Result<()> {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    let mut child =
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // The process is reaped when it ends; otherwise it would stay a zombie.
    thread::Builder::new().name("browser".into()).spawn(move || child.wait()).map(drop)
}
