//! What a file of evidence is, by its name. An agent wrote it, so the name is all that counts: the gateway does not look
//! inside, and tells the browser not to either.

/// By extension; whatever is not known is bytes.
pub(super) fn media_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "txt" | "log" | "md" | "diff" | "patch" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" => "application/json",
        "xml" => "application/xml",
        "html" | "htm" => "text/html; charset=utf-8",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}

/// Whether a browser may show it where it is linked: pictures, films and plain text, which run nothing. Everything
/// else is saved to a file.
pub fn is_shown_in_place(content_type: &str) -> bool {
    matches!(
        content_type,
        "image/png"
            | "image/jpeg"
            | "image/gif"
            | "image/webp"
            | "video/mp4"
            | "video/webm"
            | "text/plain; charset=utf-8"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_run_is_never_shown_in_place() {
        for (path, shown) in [
            ("a/Shot.PNG", true),
            ("run.webm", true),
            ("out.log", true),
            ("index.html", false),
            ("x.svg", false),
            ("x.xml", false),
            ("data.json", false),
            ("report.pdf", false),
            ("png", false),
            (".png/x", false),
            ("evil.png.html", false),
            ("", false),
        ] {
            assert_eq!(is_shown_in_place(media_type(path)), shown, "{path}");
        }
        assert_eq!(media_type("Makefile"), "application/octet-stream");
    }
}
