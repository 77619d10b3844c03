//! What one Rust file declares, imports and names, read from its tokens. Code for tests alone is left out.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Segments of a path. The first is `crate`, `self`, `super` or a name; it is empty where the path begins with `::`.
pub(super) type Segments = Vec<String>;

/// The items of a file. Modules with their text inside the file are read as part of it.
#[derive(Debug, Default)]
pub(super) struct ModuleItems {
    /// Modules in files of their own.
    pub(super) children: BTreeSet<String>,
    /// Names of types, functions, constants, macros and inline modules.
    pub(super) definitions: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    /// Paths of two or more segments in code, outside of `use`.
    pub(super) paths: BTreeSet<Segments>,
    pub(super) inherent_impls: Vec<InherentImpl>,
}

/// One name that a `use` brings in; `*` for all names of a module.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Segments,
    /// Whether other files can use the name, too: `pub`, or `pub` within some scope.
    pub(super) is_reexport: bool,
}

/// An `impl` block without a trait.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InherentImpl {
    pub(super) type_path: Segments,
    pub(super) methods: usize,
}

/// The tokens of one item, without its attributes.
type Item = Vec<TokenTree>;

impl ModuleItems {
    /// Reads a file. One that is not Rust has no items: the compiler says what is wrong with it.
    pub(super) fn read(text: &str) -> Self {
        let mut items = Self::default();
        items.read_module(text.parse().unwrap_or_default());
        items
    }

    fn read_module(&mut self, stream: TokenStream) {
        for item in items(stream) {
            self.read_item(&item);
        }
    }

    fn read_item(&mut self, item: &[TokenTree]) {
        let (keyword, at) = keyword(item);
        let rest = item.get(at + 1..).unwrap_or_default();
        match keyword.as_str() {
            "use" => return self.read_use(rest, &[], at > 0),
            "mod" => {
                let name = rest.first().map(ToString::to_string).unwrap_or_default();
                if let Some(body) = body(rest) {
                    self.definitions.insert(name);
                    self.read_module(body.stream());
                } else {
                    self.children.insert(name);
                }
                return;
            }
            "impl" => self.inherent_impls.extend(inherent_impl(rest)),
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" => {
                self.definitions
                    .extend(rest.first().map(ToString::to_string));
            }
            // Behind its exclamation mark.
            "macro_rules" => self
                .definitions
                .extend(rest.get(1).map(ToString::to_string)),
            _ => {}
        }
        self.read_paths(item.iter().cloned());
    }

    /// Reads one branch of the tree of a `use`.
    fn read_use(&mut self, branch: &[TokenTree], above: &[String], is_reexport: bool) {
        let mut path = above.to_vec();
        if path.is_empty() && is_punct(branch.first(), ':') {
            path.push(String::new());
        }
        let mut alias = None;
        let mut tokens = branch.iter();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) if name == "as" => {
                    alias = tokens.next().map(ToString::to_string);
                }
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Punct(mark) if mark.as_char() == '*' => path.push("*".to_owned()),
                TokenTree::Group(branches) => {
                    let branches: Vec<TokenTree> = branches.stream().into_iter().collect();
                    let branches = branches.split(|token| is_punct(Some(token), ','));
                    // A comma may stand behind the last one.
                    for branch in branches.filter(|branch| !branch.is_empty()) {
                        self.read_use(branch, &path, is_reexport);
                    }
                    return;
                }
                _ => {}
            }
        }
        path.pop_if(|last| last == "self");
        if let Some(name) = alias.or_else(|| path.last().cloned()) {
            self.imports.push(Import {
                name,
                path,
                is_reexport,
            });
        }
    }

    fn read_paths(&mut self, tokens: impl Iterator<Item = TokenTree>) {
        let mut path: Segments = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if path.is_empty() || colons != 2 {
                        self.keep(&mut path);
                        path.extend((colons > 1).then(String::new));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    self.keep(&mut path);
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        let mut inner = group.stream().into_iter().peekable();
                        // `pub(in crate::a)` names where an item is visible, and imports nothing.
                        let is_scope =
                            matches!(inner.peek(), Some(TokenTree::Ident(word)) if word == "in");
                        if !is_scope {
                            self.read_paths(inner);
                        }
                    }
                }
            }
        }
        self.keep(&mut path);
    }

    fn keep(&mut self, path: &mut Segments) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.paths.insert(path);
        }
    }
}

/// The items of a module or an `impl` block, without those that are compiled for tests alone.
fn items(stream: TokenStream) -> Vec<Item> {
    let mut found = Vec::new();
    let mut item = Item::new();
    let mut is_for_tests = false;
    let mut tokens = stream.into_iter();
    while let Some(token) = tokens.next() {
        if item.is_empty() && is_punct(Some(&token), '#') {
            let attribute = tokens.find_map(|token| match token {
                TokenTree::Group(attribute) => Some(attribute),
                _ => None,
            });
            is_for_tests |= attribute.is_some_and(|attribute| is_for_tests_alone(&attribute));
            continue;
        }
        let is_end = ends(&item, &token);
        item.push(token);
        if is_end {
            let item = std::mem::take(&mut item);
            if !std::mem::take(&mut is_for_tests) {
                found.push(item);
            }
        }
    }
    found
}

fn is_for_tests_alone(attribute: &Group) -> bool {
    let text = attribute.stream().to_string().replace(' ', "");
    matches!(text.as_str(), "test" | "cfg(test)" | "cfg(doctest)")
}

/// Whether an item ends with this token: a semicolon, or the braces of an item that needs none.
fn ends(item: &[TokenTree], token: &TokenTree) -> bool {
    let is_body = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let goes_on = || {
        matches!(
            keyword(item).0.as_str(),
            "use" | "const" | "static" | "type"
        )
    };
    is_punct(Some(token), ';') || (is_body && !goes_on())
}

/// The keyword that says what an item is, and its place: behind the visibility and qualifiers such as `async`.
fn keyword(item: &[TokenTree]) -> (String, usize) {
    let word = |at: usize| match item.get(at) {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let mut at = 0;
    loop {
        let is_qualifier = match word(at).as_str() {
            "pub" | "async" | "unsafe" | "extern" | "default" => true,
            "const" => matches!(word(at + 1).as_str(), "fn" | "async" | "unsafe" | "extern"),
            // The scope of a visibility, and the name of a foreign interface.
            "" => at > 0 && at < item.len(),
            _ => false,
        };
        if !is_qualifier {
            return (word(at), at);
        }
        at += 1;
    }
}

fn body(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens.last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

/// What stands behind the keyword `impl`, unless it names a trait.
fn inherent_impl(tokens: &[TokenTree]) -> Option<InherentImpl> {
    let body = body(tokens)?;
    let (mut depth, mut is_arrow) = (0_usize, false);
    let mut type_path = Segments::new();
    for token in tokens {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '<' => depth += 1,
            TokenTree::Punct(mark) if mark.as_char() == '>' && !is_arrow => {
                depth = depth.saturating_sub(1);
            }
            TokenTree::Ident(word) if depth == 0 => match word.to_string().as_str() {
                "for" => return None,
                "where" => break,
                "dyn" => {}
                word => type_path.push(word.to_owned()),
            },
            _ => {}
        }
        is_arrow = is_punct(Some(token), '-');
    }
    let methods = items(body.stream())
        .iter()
        .filter(|item| keyword(item).0 == "fn")
        .count();
    Some(InherentImpl { type_path, methods })
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(mark)) if mark.as_char() == wanted)
}

#[cfg(test)]
mod tests {
    use super::{InherentImpl, ModuleItems};

    fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
        names.into_iter().cloned().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn declarations_are_read() {
        let items = ModuleItems::read(
            "//! Mod is no module.\npub mod a;\nmod b { pub struct C; }\npub(crate) const fn d() {}\n\
             const E: F = F { g: 1 };\nmacro_rules! h { () => { mod i; } }\nextern \"C\" fn j() {}\n\
             #[cfg(test)]\nmod k;\n#[derive(L)]\nstruct M { n: u8 }\n",
        );
        assert_eq!(names(&items.children), "a");
        assert_eq!(names(&items.definitions), "C E M b d h j");
    }

    #[test]
    fn a_use_is_read_with_all_its_branches() {
        let items = ModuleItems::read(
            "use crate::{a::{self, B as C,}, d};\npub(super) use super::e::*;\nuse ::f::G;\n\
             #[cfg(test)]\nuse h::I;\n",
        );
        let imports = items.imports.iter().map(|import| {
            let mark = if import.is_reexport { "pub " } else { "" };
            format!("{mark}{} = {}", import.name, import.path.join("::"))
        });
        assert_eq!(
            imports.collect::<Vec<_>>(),
            [
                "a = crate::a",
                "C = crate::a::B",
                "d = crate::d",
                "pub * = super::e::*",
                "G = ::f::G",
            ]
        );
    }

    #[test]
    fn paths_are_read_from_code_and_not_from_comments_and_texts() {
        let items = ModuleItems::read(
            "// crate::a::B\npub(in crate::z) fn c(d: super::E) -> Vec<f::G> { h(\"crate::i\"); vec![self::j::k::<L>()]; M::n }\n\
             #[cfg(test)]\nmod tests { fn o() { crate::p::q(); } }\n",
        );
        let paths = items.paths.iter().map(|path| path.join("::"));
        assert_eq!(
            paths.collect::<Vec<_>>(),
            ["M::n", "f::G", "self::j::k", "super::E"]
        );
    }

    #[test]
    fn methods_are_counted_where_no_trait_is_implemented() {
        let items = ModuleItems::read(
            "impl<F: Fn() -> u8, const N: usize> a::B<F, N> where F: Copy { pub async fn c() { fn d() {} } fn e() {} \
             const F: u8 = 1; #[cfg(test)] fn g() {} }\n\
             impl fmt::Debug for B { fn fmt() {} }\nimpl<T> From<T> for B { fn from() {} }\n",
        );
        let expected = InherentImpl {
            type_path: vec!["a".to_owned(), "B".to_owned()],
            methods: 2,
        };
        assert_eq!(items.inherent_impls, [expected]);
    }
}
