//! The proof every test of a call ends with: the log holds together.

use app::{
    App,
    audit::{
        self,
        bundle::{ArtifactInclusion, Bundle, BundleScope},
        verify::{TrustAnchor, VerificationReport, verify},
    },
};
use domain::id::OrganizationId;

pub(crate) async fn whole_log(app: &App, organization_id: &OrganizationId) -> VerificationReport {
    let bytes = export(app, organization_id, BundleScope::Log).await;
    let key = audit::SigningKey::of(&app.keyring, organization_id).unwrap();
    let trust = TrustAnchor {
        key: key.verifier_key().parse().unwrap(),
        from: None,
    };
    let report = verify(&bytes[..], &trust, |_| {}).unwrap();
    assert_eq!(report.policy_files_missing, 0, "{report:?}");
    report
}

async fn export(app: &App, organization_id: &OrganizationId, scope: BundleScope) -> Vec<u8> {
    let bundle = Bundle::open(app, organization_id, scope, ArtifactInclusion::Include);
    let mut bundle = bundle.await.unwrap();
    let mut bytes = Vec::new();
    while let Some(page) = bundle.next_page().await.unwrap() {
        bytes.extend(page);
    }
    bytes
}
