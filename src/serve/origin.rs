//! The origin of a request: only pages of this server may make requests, and programs other than browsers.
//!
//! Any page in a browser may try to reach a server on the same machine. The browser sends the origin of the page in
//! `Origin`, and the name by which it reached the server in `Host`. Both must be those of this server.

use std::net::IpAddr;

use super::request::Request;

/// Returns the reason why a request is refused, if it is.
pub(super) fn refusal(request: &Request, port: u16) -> Option<&'static str> {
    let Some(host) = request.header("host") else { return Some("missing Host header") };
    if !is_own_host(host, port) {
        return Some("unknown Host; use the address that kelso serve printed");
    }
    // Programs other than browsers send no origin.
    let origin = request.header("origin");
    let foreign = origin.is_some_and(|origin| !is_origin_of(origin, host));
    let site = request.header("sec-fetch-site");
    // Any page may link to this one, but its files are loaded only by itself.
    let cross_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && request.path != "/";
    (foreign || cross_site).then_some("cross-origin requests are not allowed")
}

/// Returns true if a `Host` header is an IP address or `localhost`, with the port of this server. A page of another site
/// may be loaded under a name that was made to point here (DNS rebinding).
fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.contains(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    given == Some(port) && (bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok())
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    let (origin, host) = (origin.to_ascii_lowercase(), host.to_ascii_lowercase());
    origin.strip_prefix("http://").is_some_and(|name| name == host || host.strip_suffix(":80") == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_admitted(headers: &str) -> bool {
        let text = format!("GET /session HTTP/1.1\r\n{headers}\r\n\r\n");
        refusal(&Request::read(&mut text.as_bytes(), Vec::new()).unwrap().unwrap(), 8080).is_none()
    }

    #[test]
    fn only_the_servers_own_page_is_admitted() {
        assert!(is_admitted("Host: 127.0.0.1:8080"));
        assert!(is_admitted("Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080"));
        assert!(is_admitted(
            "Host: localhost:8080\r\nOrigin: http://localhost:8080\r\nSec-Fetch-Site: same-origin"
        ));
        for bad in [
            "A: b",
            "Host: evil.example:8080",
            "Host: evil.example:8080\r\nOrigin: http://evil.example:8080",
            "Host: 127.0.0.1:8080\r\nOrigin: http://evil.example",
            "Host: 127.0.0.1:8080\r\nOrigin: null",
            "Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8081",
            "Host: 127.0.0.1:8080\r\nOrigin: https://127.0.0.1:8080",
            "Host: 127.0.0.1:8080\r\nSec-Fetch-Site: cross-site",
            "Host: 127.0.0.1:8080\r\nSec-Fetch-Site: same-site",
            "Host: 127.0.0.1:8080\r\nHost: 127.0.0.1:8080",
        ] {
            assert!(!is_admitted(bad), "{bad}");
        }
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
}
