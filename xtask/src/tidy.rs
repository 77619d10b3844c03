//! `cargo xtask tidy`: runs every check and prints what it finds. Each check is a pure function from
//! file texts to violations, so that each is tested on a few lines of input; only `tree` and
//! `direction::read` touch the machine.

mod actor_words;
mod architecture;
mod direction;
mod error_pages;
mod examples;
mod exceptions;
#[cfg(test)]
mod fixture;
mod import_circles;
mod lockfiles;
mod machine_paths;
mod methods;
mod migrations;
mod module_items;
mod module_tree;
mod modules;
mod opening;
mod security;
mod size;
mod source_file;
mod todo;
mod tree;
mod type_names;
mod violation;
mod whitespace;

use std::path::Path;

use self::violation::Violation;

/// Runs every check; `false` when a rule is broken.
pub(crate) fn run(root: &Path) -> anyhow::Result<bool> {
    let files = tree::read(root)?;
    let members = direction::read(root)?;
    let crates = module_tree::read(&files);
    let mut violations: Vec<Violation> = [
        opening::check(&files),
        size::check(&files),
        whitespace::check(&files),
        direction::check(&members, &files),
        actor_words::check(&files),
        architecture::check(&members, &files),
        error_pages::check(&files),
        examples::check(&files),
        machine_paths::check(&files),
        import_circles::check(&crates, &files),
        lockfiles::check(&files),
        methods::check(&crates, &files),
        migrations::check(&files),
        modules::check(&files),
        security::check(&files),
        todo::check(&files),
        type_names::check(&files),
    ]
    .into_iter()
    .flatten()
    .collect();
    // By place, so that two runs print the same list.
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => println!("tidy: {} files, no violations", files.len()),
        1 => println!("tidy: 1 violation"),
        count => println!("tidy: {count} violations"),
    }
    Ok(violations.is_empty())
}
