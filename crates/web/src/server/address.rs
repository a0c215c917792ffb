//! The address of the server, and opening it in a browser.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;

use kelso_syntax::WordError;

/// Parses an IP address of this machine, or `localhost`.
pub fn parse_ip(text: &str) -> Result<IpAddr, WordError> {
    let host = text.trim().trim_start_matches('[').trim_end_matches(']');
    if host.eq_ignore_ascii_case("localhost") {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    host.parse().map_err(|_| {
        let expected = "an IP address of this machine such as 192.168.0.7, or 0.0.0.0 for all";
        WordError::invalid("address", text, expected)
    })
}

/// Returns the URL at which a browser on this machine reaches a server at this address.
pub fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
}

/// Opens an address in the default browser, without waiting for the browser. Fails on a machine without a
/// screen.
pub fn open(url: &str) -> io::Result<()> {
    let (program, handler) = if cfg!(target_os = "windows") {
        ("rundll32", Some("url.dll,FileProtocolHandler"))
    } else if cfg!(target_os = "macos") {
        ("open", None)
    } else {
        ("xdg-open", None)
    };
    let mut command = Command::new(program);
    command.args(handler).arg(url);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Reap the process when it exits; otherwise it would stay a zombie.
    thread::Builder::new().name("browser".into()).spawn(move || child.wait()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_names_are_not_resolved() {
        assert_eq!(parse_ip("localhost"), Ok(Ipv4Addr::LOCALHOST.into()));
        assert!(parse_ip("0.0.0.0").unwrap().is_unspecified());
        assert!(parse_ip("[::1]").unwrap().is_loopback());
        let error = parse_ip("example.org").unwrap_err().to_string();
        assert!(error.contains("\"example.org\""), "{error}");
    }

    #[test]
    fn a_browser_goes_to_the_loopback_of_all_addresses() {
        assert_eq!(url("0.0.0.0:80".parse().unwrap()), "http://127.0.0.1:80/");
        assert_eq!(url("[::]:81".parse().unwrap()), "http://[::1]:81/");
    }
}
