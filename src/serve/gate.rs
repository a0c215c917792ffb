//! Who may ask: a page that this server has served, and programs on this machine that are no browsers.
//!
//! A browser runs pages of strangers, and any of them may try to reach a server on the same machine. It says by `Origin`
//! which page asks, and by `Host` under which name the server was called. A stranger's page has its own origin, and a
//! name of its own that was made to point here has no place in `Host`.

use super::address::is_own_name;
use super::request::Request;

/// Why a request is refused; none if it isn't.
pub(super) fn objection(request: &Request, port: u16) -> Option<&'static str> {
    let Some(host) = request.header("host") else { return Some("no Host, expected one") };
    if !is_own_name(host, port) {
        return Some("an unknown Host, expected the address that kelso serve has printed");
    }
    // Programs other than browsers have no origin.
    let origin = request.header("origin");
    let foreign = origin.is_some_and(|origin| !is_origin_of(origin, host));
    let site = request.header("sec-fetch-site");
    // A link to the page may stand anywhere; what the page itself loads comes from the same place.
    let strange = site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && request.path != "/";
    (foreign || strange).then_some("a request from another page, expected one from this server's own")
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    let (origin, host) = (origin.to_ascii_lowercase(), host.to_ascii_lowercase());
    origin.strip_prefix("http://").is_some_and(|name| name == host || host.strip_suffix(":80") == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(headers: &str) -> bool {
        let text = format!("GET /session HTTP/1.1\r\n{headers}\r\n\r\n");
        objection(&Request::read(&mut text.as_bytes(), Vec::new()).ok().unwrap(), 8080).is_none()
    }

    #[test]
    fn only_the_servers_own_page_gets_in() {
        assert!(admits("Host: 127.0.0.1:8080"));
        assert!(admits("Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080"));
        assert!(admits(
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
            assert!(!admits(bad), "{bad}");
        }
    }
}
