//! The address of the server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use draughts::notation::syntax::Quoted;

/// An address to listen on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The IP address.
    pub ip: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
}

/// An invalid address.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("invalid address {}: expected an IP address of this machine such as 192.168.0.7, or 0.0.0.0 for all", Quoted(.0))]
pub struct AddressError(String);

impl Address {
    /// The loopback, which no other machine reaches.
    #[must_use]
    pub const fn local(port: u16) -> Self {
        Self { ip: IpAddr::V4(Ipv4Addr::LOCALHOST), port }
    }

    /// Parses an IP address or `localhost`.
    ///
    /// # Errors
    ///
    /// When the text is neither.
    pub fn parse(text: &str, port: u16) -> Result<Self, AddressError> {
        let bare = text.trim().trim_start_matches('[').trim_end_matches(']');
        let ip = if bare.eq_ignore_ascii_case("localhost") {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        } else {
            bare.parse().map_err(|_| AddressError(text.to_owned()))?
        };
        Ok(Self { ip, port })
    }

    /// Returns true if other machines can reach it.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        !self.ip.is_loopback()
    }
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
#[must_use]
pub(super) fn url(address: SocketAddr) -> String {
    let ip = address.ip();
    let ip = match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_names_are_not_resolved() {
        assert_eq!(Address::parse("localhost", 7), Ok(Address::local(7)));
        assert!(Address::parse("0.0.0.0", 0).unwrap().is_public());
        assert!(!Address::parse("[::1]", 0).unwrap().is_public());
        let error = Address::parse("example.org", 0).unwrap_err().to_string();
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
