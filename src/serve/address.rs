//! The address of the server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use draughts::notation::syntax::Quoted;

/// An invalid address.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("invalid address {}: expected an IP address of this machine such as 192.168.0.7, or 0.0.0.0 for all", Quoted(.0))]
pub struct AddressError(String);

/// Parses an IP address or `localhost`.
///
/// # Errors
///
/// When the text is neither.
pub fn parse_ip(text: &str) -> Result<IpAddr, AddressError> {
    let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
    if bare.eq_ignore_ascii_case("localhost") {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    bare.parse().map_err(|_| AddressError(text.to_owned()))
}

/// Returns true if a `Host` header is an IP address or `localhost`, with the port of this server. A page of another site
/// may be loaded under a name that was made to point here (DNS rebinding).
pub(super) fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.contains(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    given == Some(port) && (bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok())
}

/// Returns the URL by which a browser on this machine reaches a server at an address.
pub fn url(mut address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    format!("http://{address}/")
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
    fn only_addresses_and_localhost_are_own_hosts() {
        for good in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "192.168.0.7:8080"] {
            assert!(is_own_host(good, 8080), "{good}");
        }
        for bad in [
            "evil.example:8080",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil:8080",
            "",
            ":8080",
            "[::1:8080",
        ] {
            assert!(!is_own_host(bad, 8080), "{bad}");
        }
        assert!(is_own_host("127.0.0.1", 80));
    }

    #[test]
    fn a_browser_goes_to_the_loopback_of_all_addresses() {
        assert_eq!(url("0.0.0.0:80".parse().unwrap()), "http://127.0.0.1:80/");
        assert_eq!(url("[::]:81".parse().unwrap()), "http://[::1]:81/");
    }
}
