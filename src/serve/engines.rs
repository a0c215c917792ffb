//! The engines that a page can choose from: this program, and those of the command line.

use serde_json::{Value, json};

use players::spec::EngineSpec;
use protocol::Dialect;
use web::query;

/// This program's name in URLs.
const OWN: &str = "kelso";

/// The engines besides this program.
#[derive(Clone, Debug, Default)]
pub struct Engines(Vec<EngineSpec>);

impl Engines {
    /// Creates a list of engines.
    pub const fn new(others: Vec<EngineSpec>) -> Self {
        Self(others)
    }

    /// Finds the engine that a query names: none for this program, and the name as an error if it is unknown.
    pub(super) fn find(&self, query: &str) -> Result<Option<&EngineSpec>, String> {
        let name = query::parameter(query, "engine");
        match name {
            None => Ok(None),
            Some(name) if name == OWN && self.other(OWN).is_none() => Ok(None),
            Some(name) => self.other(&name).map(Some).ok_or(name),
        }
    }

    fn other(&self, name: &str) -> Option<&EngineSpec> {
        self.0.iter().find(|engine| engine.name == name)
    }

    /// Returns the list for the page. It has no command lines, which may hold secrets.
    pub(super) fn list(&self) -> Value {
        let entry = |name: &str, protocol: Dialect, own: bool| json!({ "name": name, "protocol": protocol.name(), "own": own });
        let others = self.0.iter().map(|engine| entry(&engine.name, engine.protocol, false));
        let own = self.other(OWN).is_none().then(|| entry(OWN, Dialect::Native, true));
        own.into_iter().chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::spec::parse_engines;

    #[test]
    fn engines_are_found_by_their_names() {
        let words = ["name=A&B cmd=x".to_owned(), "cmd=y proto=hub".to_owned()];
        let specs = parse_engines(&words, &["nodes=1".to_owned()], &"kelso".into()).unwrap();
        let engines = Engines::new(specs);
        assert!(engines.find("").unwrap().is_none() && engines.find("engine=kelso").unwrap().is_none());
        assert_eq!(engines.find("engine=A%26B").unwrap().unwrap().name, "A&B");
        assert_eq!(engines.find("engine=a").unwrap_err(), "a");
        let list = engines.list();
        assert_eq!(list[0]["name"], "kelso");
        assert_eq!(list[2], json!({ "name": "y", "protocol": "hub", "own": false }));
        assert!(!list.to_string().contains("cmd"));
    }
}
