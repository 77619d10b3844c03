//! The bytes of the three files of a policy.

/// The files of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyFiles {
    pub lanes: FileBytes,
    pub roles: FileBytes,
    pub tools: FileBytes,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileBytes {
    pub bytes: Vec<u8>,
    /// The commit that last changed it, if that is known and holds these very bytes.
    pub commit: Option<String>,
}

impl PolicyFiles {
    /// The policy that decides when no other is configured.
    pub fn built_in() -> Self {
        let file = |text: &str| FileBytes::from(text.as_bytes());
        Self {
            lanes: file(include_str!("../../../../policy/lanes.yaml")),
            roles: file(include_str!("../../../../policy/roles.yaml")),
            tools: file(include_str!("../../../../policy/tools.yaml")),
        }
    }
}

impl From<&[u8]> for FileBytes {
    fn from(bytes: &[u8]) -> Self {
        let (bytes, commit) = (bytes.to_vec(), None);
        Self { bytes, commit }
    }
}
