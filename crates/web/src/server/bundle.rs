//! The modules of the page as one script, which a browser loads in a single request, and its style.
//!
//! The script contains `main.js` and the modules that it imports, each in its own block, after its imports.
//! Only the forms of `import` and `export` that the page uses are supported; others are errors.

use std::fmt::Write;

/// The name of the object that holds the exports of all modules, by file name. The script exports it, so that
/// a page can be tested.
const EXPORTS: &str = "bundled";

/// Returns the script of `main` and of all modules that it imports, without comments and unneeded spaces.
/// `source` returns the source of a module. An error is a message for developers.
pub(super) fn bundle<'a>(main: &str, source: impl Fn(&str) -> Option<&'a str>) -> Result<String, String> {
    let mut bundle = Bundle { source, open: Vec::new(), done: Vec::new(), text: String::new() };
    bundle.add(main)?;
    let text = format!("const {EXPORTS} = {{}};\n{}export {{ {EXPORTS} }};\n", bundle.text);
    Ok(minifier::js::minify(&text)?.to_string())
}

struct Bundle<F> {
    source: F,
    /// The modules whose imports are being added.
    open: Vec<String>,
    /// The modules in `text`, with the names that they export.
    done: Vec<(String, Vec<String>)>,
    text: String,
}

impl<'a, F: Fn(&str) -> Option<&'a str>> Bundle<F> {
    /// Adds a module after the modules that it imports. Returns the names that it exports.
    fn add(&mut self, module: &str) -> Result<Vec<String>, String> {
        if let Some((_, exports)) = self.done.iter().find(|(finished, _)| finished == module) {
            return Ok(exports.clone());
        }
        if self.open.iter().any(|opened| opened == module) {
            return Err(format!("{module} imports itself"));
        }
        let source = (self.source)(module).ok_or_else(|| format!("{module} is missing"))?;
        self.open.push(module.to_owned());
        let mut body = String::new();
        let mut exports = Vec::new();
        for line in source.lines() {
            let unsupported = || format!("{module}: unsupported line: {line}");
            if is_comment(line) {
                continue;
            }
            let line = if line.contains(EXPORTS) || line.contains("import(") {
                return Err(unsupported());
            } else if let Some(rest) = line.strip_prefix("import ") {
                self.import(module, rest, unsupported)?
            } else if let Some(declaration) = line.strip_prefix("export ") {
                exports.push(declared(declaration).ok_or_else(unsupported)?.to_owned());
                declaration.to_owned()
            } else if begins_with_keyword(line.trim_start()) {
                return Err(unsupported());
            } else {
                line.to_owned()
            };
            body.push_str(&line);
            body.push('\n');
        }
        self.open.pop();
        let names = exports.join(", ");
        // Writing to a string can't fail.
        let _ = writeln!(self.text, "{{\n{body}{EXPORTS}[\"{module}\"] = {{ {names} }};\n}}");
        self.done.push((module.to_owned(), exports.clone()));
        Ok(exports)
    }

    /// Translates an import, without its first word. Adds the module that it imports.
    fn import(
        &mut self,
        importing: &str,
        rest: &str,
        unsupported: impl Fn() -> String,
    ) -> Result<String, String> {
        let (names, file) = rest.split_once(" from \"./").ok_or_else(&unsupported)?;
        let module = file.strip_suffix("\";").ok_or_else(&unsupported)?;
        let exports = self.add(module)?;
        if let Some(alias) = names.strip_prefix("* as ").filter(|alias| is_name(alias)) {
            return Ok(format!("const {alias} = {EXPORTS}[\"{module}\"];"));
        }
        let list =
            names.strip_prefix("{ ").and_then(|names| names.strip_suffix(" }")).ok_or_else(&unsupported)?;
        let mut fields = Vec::new();
        for item in list.split(", ") {
            let (name, local) = item.split_once(" as ").unwrap_or((item, item));
            if !is_name(name) || !is_name(local) {
                return Err(unsupported());
            }
            if !exports.iter().any(|export| export == name) {
                return Err(format!("{importing}: {module} does not export {name}"));
            }
            fields.push(if name == local { name.to_owned() } else { format!("{name}: {local}") });
        }
        Ok(format!("const {{ {} }} = {EXPORTS}[\"{module}\"];", fields.join(", ")))
    }
}

/// Returns a style without comments and most spaces. Its strings have none that are left out. (`minifier` would
/// also omit the spaces that sums in `min()` need.)
pub(super) fn compacted(style: &str) -> String {
    let mut parts = style.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.filter_map(|part| part.split_once("*/")).fold(first, |text, (_, rest)| text + rest);
    let lines: String =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect();
    [(" { ", "{"), (" {", "{"), ("; }", "}"), ("; ", ";"), (": ", ":"), (", ", ",")]
        .iter()
        .fold(lines, |text, (long, short)| text.replace(long, short))
}

/// Returns whether a line is part of a comment and has no code.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "/**", "* ", "*/"].iter().any(|start| line.starts_with(start))
}

/// Returns whether a line begins with `import` or `export`.
fn begins_with_keyword(line: &str) -> bool {
    let after = line.strip_prefix("import").or_else(|| line.strip_prefix("export"));
    after.and_then(|rest| rest.chars().next()).is_some_and(|next| " \t{*\"'".contains(next))
}

/// Returns the name that a declaration defines, or `None` if its form is not supported. The value of an
/// exported variable could change, so only constants are exported.
fn declared(declaration: &str) -> Option<&str> {
    let rest = ["const ", "class ", "function ", "async function "]
        .iter()
        .find_map(|form| declaration.strip_prefix(form))?;
    let name = &rest[..rest.find(|letter: char| !is_letter(letter))?];
    // A destructuring or a list of declarations would define more than this name.
    is_name(name).then_some(name)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(modules: &[(&'static str, &'static str)]) -> Result<String, String> {
        bundle("main.js", |name| modules.iter().find(|(known, _)| *known == name).map(|(_, source)| *source))
    }

    #[test]
    fn modules_follow_those_that_they_import() {
        let script = join(&[
            (
                "main.js",
                "import { one, one as first } from \"./a.js\";\nimport * as b from \"./b.js\";\nb.two(one);\n",
            ),
            ("a.js", "import { two } from \"./b.js\";\nexport const one = two(1);\n"),
            ("b.js", "export function two(value) {\n  return value;\n}\nexport class Three {}\n"),
        ]);
        assert_eq!(
            script.unwrap(),
            "const bundled={};\
             {function two(value){return value;}class Three{}bundled[\"b.js\"]={two,Three};}\
             {const{two}=bundled[\"b.js\"];const one=two(1);bundled[\"a.js\"]={one};}\
             {const{one,one:first}=bundled[\"a.js\"];const b=bundled[\"b.js\"];b.two(one);bundled[\"main.js\"]={};}\
             export{bundled};"
        );
    }

    #[test]
    fn a_style_is_compacted() {
        let style = "/* The\n   page. */\na :is(b, c) { d: e f; }\n\n@media (g: h) {\n  i { j: k;\n    l: m; } /* n */ o { p: q; }\n}\n";
        assert_eq!(compacted(style), "a :is(b,c){d:e f}\n@media (g:h){\ni{j:k;\nl:m}  o{p:q}\n}\n");
    }

    #[test]
    fn comments_are_left_out_and_other_words_kept() {
        let source = "/** @type {A} */\n  // export from\n/**\n * import\n */\nconst exported = { import: 1, export: 2 };\n";
        let script = join(&[("main.js", source)]).unwrap();
        assert!(script.contains("{const exported={import:1,export:2};bundled"), "{script}");
    }

    #[test]
    fn texts_and_regular_expressions_keep_their_spaces() {
        let source = "const a = (b, c) => (b ? `d, ${b && `e, f`}\n  g` : \"h = \\\" i, j\");\nconst k = /l, m \"/g;\n";
        let script = join(&[("main.js", source)]).unwrap();
        for part in ["`d, ${b && `e, f`}\n  g`", "\"h = \\\" i, j\"", "/l, m \"/g"] {
            assert!(script.contains(part), "{part}: {script}");
        }
    }

    #[test]
    fn circles_missing_modules_and_missing_names_are_errors() {
        let circle = [("main.js", "import { a } from \"./a.js\";\n"), ("a.js", "import \"./main.js\";\n")];
        assert!(join(&circle).unwrap_err().contains(": unsupported line: "));
        let circle = [
            ("main.js", "import { a } from \"./a.js\";\n"),
            ("a.js", "import * as main from \"./main.js\";\nexport const a = 1;\n"),
        ];
        assert_eq!(join(&circle), Err("main.js imports itself".to_owned()));
        assert_eq!(join(&circle[..1]), Err("a.js is missing".to_owned()));
        let unknown = [("main.js", "import { b } from \"./a.js\";\n"), ("a.js", "export const a = 1;\n")];
        assert_eq!(join(&unknown), Err("main.js: a.js does not export b".to_owned()));
    }

    #[test]
    fn other_forms_are_errors() {
        for line in [
            "import a from \"./a.js\";",
            "import { a, } from \"./a.js\";",
            "import { a } from './a.js';",
            "import { a } from \"a.js\";",
            "import \"./a.js\";",
            "import {",
            "  import { a } from \"./a.js\";",
            "export default 1;",
            "export let b = 1;",
            "export const { b } = {};",
            "export const [b] = [];",
            "export { b };",
            "export * from \"./a.js\";",
            "export function* b() {}",
            "const b = import(\"./a.js\");",
            "const bundled = 1;",
        ] {
            let modules = [("main.js", line), ("a.js", "export const a = 1;\n")];
            assert_eq!(join(&modules), Err(format!("main.js: unsupported line: {line}")));
        }
    }
}
