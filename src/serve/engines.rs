//! The engines that a page can choose from: this program, and those of the command line.

use serde_json::{Value, json};

use players::spec::EngineSpec;
use protocol::Dialect;
use web::query;

/// This program's name in URLs.
const OWN: &str = "kelso";

/// Finds the engine that a query names: none for this program, and the name as an error if it is unknown. `others` are the
/// engines besides this program.
pub(super) fn find<'a>(others: &'a [EngineSpec], query: &str) -> Result<Option<&'a EngineSpec>, String> {
    match query::parameter(query, "engine") {
        None => Ok(None),
        Some(name) if name == OWN && other(others, OWN).is_none() => Ok(None),
        Some(name) => other(others, &name).map(Some).ok_or(name),
    }
}

fn other<'a>(others: &'a [EngineSpec], name: &str) -> Option<&'a EngineSpec> {
    others.iter().find(|engine| engine.name == name)
}

/// Returns the list for the page. It has no command lines, which may hold secrets.
pub(super) fn list(others: &[EngineSpec]) -> Value {
    let entry = |name: &str, protocol: Dialect, own: bool| json!({ "name": name, "protocol": protocol.name(), "own": own });
    let listed = others.iter().map(|engine| entry(&engine.name, engine.protocol, false));
    let own = other(others, OWN).is_none().then(|| entry(OWN, Dialect::Native, true));
    own.into_iter().chain(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::spec::parse_engines;

    #[test]
    fn engines_are_found_by_their_names() {
        let words = ["name=A&B cmd=x".to_owned(), "cmd=y proto=hub".to_owned()];
        let engines = parse_engines(&words, &["nodes=1".to_owned()], &"kelso".into()).unwrap();
        assert!(find(&engines, "").unwrap().is_none() && find(&engines, "engine=kelso").unwrap().is_none());
        assert_eq!(find(&engines, "engine=A%26B").unwrap().unwrap().name, "A&B");
        assert_eq!(find(&engines, "engine=a").unwrap_err(), "a");
        let list = list(&engines);
        assert_eq!(list[0]["name"], "kelso");
        assert_eq!(list[2], json!({ "name": "y", "protocol": "hub", "own": false }));
        assert!(!list.to_string().contains("cmd"));
    }
}
