//! A database of its own for every test: a copy of a migrated template, which is a file for SQLite and a database of the
//! server that `./test` started for PostgreSQL. Migrating one took half of what a test of the gateway takes to start.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use app::system::SystemEntropy;
use domain::clock::random_bytes;
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor as _, PgConnection,
    postgres::PgConnectOptions,
};
use store::{Db, Options};
use tempfile::TempDir;

use crate::service_url;

/// Which database a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}

/// How long tests wait for a connection and for a statement: on a busy machine either may take longer than the product
/// lets a request wait, which is not a failure of the tested code.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(30);
const STATEMENT_TIMEOUT: Duration = Duration::from_mins(1);

fn options(url: &str) -> Options {
    Options {
        acquire_timeout: ACQUIRE_TIMEOUT,
        statement_timeout: STATEMENT_TIMEOUT,
        ..Options::new(url)
    }
}

/// A database of one test, migrated unless the test opts out; removed with the test run.
#[derive(Debug)]
pub struct TestDatabase {
    pub db: Db,
    pub url: String,
    _place: Place,
}

/// Resources with the lifetime of the database. Separate connections have none.
#[derive(Debug)]
enum Place {
    Folder { _folder: TempDir },
    OnTheServer { _database: OnTheServer },
    Elsewhere,
}

impl TestDatabase {
    pub async fn create(backend: Backend) -> Self {
        let database = Self::open(backend, Content::Migrated).await;
        let schema = database.db.schema_status().await;
        let schema = schema.expect("the schema is readable");
        // A server that outlives a run may have a template from before the last migration.
        if schema.found != schema.known {
            let migrated = database.db.migrate().await;
            migrated.expect("the test database migrates");
        }
        database
    }

    /// Without a schema: as an operator finds it before the first `migrate`.
    pub async fn create_empty(backend: Backend) -> Self {
        Self::open(backend, Content::Nothing).await
    }

    async fn open(backend: Backend, content: Content) -> Self {
        let (url, place) = match backend {
            Backend::Sqlite => {
                let dir = tempfile::tempdir().expect("a temporary directory");
                let path: PathBuf = dir.path().join("test.db");
                if content == Content::Migrated {
                    let template = sqlite_template().await;
                    std::fs::copy(template, &path).expect("the template is copied");
                }
                let place = Place::Folder { _folder: dir };
                (format!("sqlite:{}", path.display()), place)
            }
            Backend::Postgres => {
                let database = OnTheServer::create(content).await;
                let url = database.url();
                (
                    url,
                    Place::OnTheServer {
                        _database: database,
                    },
                )
            }
        };
        let db = Db::open(&options(&url))
            .await
            .expect("the test database opens");
        Self {
            db,
            url,
            _place: place,
        }
    }

    /// The same database through connections of its own, as another process would have it. Must not
    /// outlive the first.
    pub async fn open_again(&self) -> Self {
        let db = Db::open(&options(&self.url)).await;
        Self {
            db: db.expect("the test database opens again"),
            url: self.url.clone(),
            _place: Place::Elsewhere,
        }
    }
}

impl TestDatabase {
    /// The tables that have rows of an organization; of SQLite, which has all tables that PostgreSQL has.
    pub fn tables_with_rows_of(&self, organization_id: &str) -> Vec<String> {
        let path = self.url.strip_prefix("sqlite:").expect("an SQLite file");
        let connection = rusqlite::Connection::open(path).expect("it opens");
        let count = |table: &str| -> i64 {
            let sql = format!("SELECT COUNT(*) FROM \"{table}\" WHERE organization_id = ?1");
            connection
                .query_row(&sql, [organization_id], |row| row.get(0))
                .expect("a count")
        };
        let sql = "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
                ON c.name = 'organization_id' WHERE m.type = 'table'";
        let mut tables = connection.prepare(sql).expect("it prepares");
        let names = tables.query_map([], |row| row.get(0)).expect("names");
        let names: Vec<String> = names.map(|name| name.expect("a name")).collect();
        assert!(names.len() > 30, "{names:?}");
        names.into_iter().filter(|name| count(name) > 0).collect()
    }

    /// Changes the database behind the product's back.
    pub async fn execute(&self, sql: &str) {
        let done = self.try_execute(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The same for what the database should refuse.
    pub async fn try_execute(&self, sql: &str) -> Result<(), Box<dyn std::error::Error>> {
        if let Some(path) = self.url.strip_prefix("sqlite:") {
            let connection = rusqlite::Connection::open(path)?;
            connection.busy_timeout(domain::limits::SQLITE_BUSY_TIMEOUT)?;
            connection.pragma_update(None, "foreign_keys", "ON")?;
            connection.execute_batch(sql)?;
        } else {
            let mut connection = PgConnection::connect(&self.url).await?;
            let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
            connection.execute(sql).await?;
            connection.close().await?;
        }
        Ok(())
    }
}

impl TestDatabase {
    /// Everything that is in it: the files of SQLite as they are, every row of every table of PostgreSQL.
    pub async fn dump(&self) -> Vec<(String, Vec<u8>)> {
        if let Some(path) = self.url.strip_prefix("sqlite:") {
            let files = [path.to_owned(), format!("{path}-wal")].into_iter();
            return files
                .filter_map(|file| Some((file.clone(), std::fs::read(&file).ok()?)))
                .collect();
        }
        let mut connection = PgConnection::connect(&self.url).await.expect("it connects");
        let names = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
        let names = sqlx::query_scalar::<_, String>(names);
        let names = names.fetch_all(&mut connection).await.expect("it reads");
        let mut all = Vec::new();
        for name in names {
            let rows = format!("SELECT t::text FROM \"{name}\" AS t");
            let rows = sqlx::query_scalar::<_, Option<String>>(AssertSqlSafe(rows));
            let rows = rows.fetch_all(&mut connection).await.expect("it reads");
            let rows: Vec<String> = rows.into_iter().flatten().collect();
            all.push((format!("table {name}"), rows.join("\n").into_bytes()));
        }
        all
    }
}

impl TestDatabase {
    /// PostgreSQL alone: returns when a statement of another connection waits for a lock.
    pub async fn until_a_transaction_waits_for_a_lock(&self) {
        let mut connection = PgConnection::connect(&self.url).await.expect("it connects");
        let waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND \
                       wait_event_type = 'Lock'";
        while sqlx::query(waiting)
            .fetch_optional(&mut connection)
            .await
            .expect("it reads")
            .is_none()
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// What a new database on the server begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Nothing,
    Migrated,
}

/// A database of the server that `./test` started. The server keeps its data in memory, so it is dropped.
#[derive(Debug)]
struct OnTheServer {
    server: String,
    name: String,
}

impl OnTheServer {
    async fn create(content: Content) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let server = service_url("PROLIFERATE_TEST_POSTGRES_URL");
        let mut admin = connect(&server).await.expect("PostgreSQL answers");
        let template = match content {
            Content::Nothing => "template0",
            Content::Migrated => ensure_template(&mut admin, &server).await,
        };

        // The process alone is not enough: numbers of processes come round within one run of the tests.
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = u64::from_le_bytes(random_bytes(&SystemEntropy));
        let name = format!("test_{}_{count}_{unique:x}", std::process::id());
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
        execute(&mut admin, &create).await;
        admin.close().await.expect("the connection closes");
        Self { server, name }
    }

    fn url(&self) -> String {
        with_database(&self.server, &self.name)
    }
}

impl Drop for OnTheServer {
    /// On a thread of its own, because the runtime of the test may be about to end. A stopped server has
    /// nothing to drop.
    fn drop(&mut self) {
        let server = self.server.clone();
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.expect("a runtime").block_on(async {
                if let Ok(mut admin) = connect(&server).await {
                    execute(&mut admin, &drop).await;
                }
            });
        });
        let dropped = dropped.join().is_ok();
        assert!(dropped || std::thread::panicking(), "it is not dropped");
    }
}

async fn connect(server: &str) -> sqlx::Result<PgConnection> {
    let options: PgConnectOptions = server
        .parse()
        .expect("PROLIFERATE_TEST_POSTGRES_URL is a URL");
    options.connect().await
}

/// Makes the migrated template unless another test process has done so; an advisory lock lets one
/// of them through at a time.
async fn ensure_template(admin: &mut PgConnection, server: &str) -> &'static str {
    const TEMPLATE: &str = "proliferate_template";
    execute(admin, "SELECT pg_advisory_lock(4711)").await;
    let exists = sqlx::query("SELECT 1 FROM pg_database WHERE datname = $1")
        .bind(TEMPLATE)
        .fetch_optional(&mut *admin)
        .await
        .expect("the catalogue is readable")
        .is_some();
    if !exists {
        execute(admin, "CREATE DATABASE proliferate_template").await;
        let db = Db::open(&options(&with_database(server, TEMPLATE)))
            .await
            .expect("it opens");
        db.migrate().await.expect("the template migrates");
        db.close().await;
    }
    execute(admin, "SELECT pg_advisory_unlock(4711)").await;
    TEMPLATE
}

/// Makes the migrated file unless a test process of the same build has done so. Processes that make it at the same time put
/// the same content in the same place.
async fn sqlite_template() -> PathBuf {
    let path = std::env::temp_dir().join(format!("proliferate-template-{}.db", build()));
    if path.exists() {
        return path;
    }
    let unfinished = tempfile::tempdir_in(std::env::temp_dir()).expect("a temporary directory");
    let file = unfinished.path().join("template.db");
    let db = Db::open(&options(&format!("sqlite:{}", file.display()))).await;
    let db = db.expect("the template opens");
    db.migrate().await.expect("the template migrates");
    db.close().await;
    let connection = rusqlite::Connection::open(&file).expect("the template opens again");
    // All of it into the one file that is copied.
    let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
    let is_busy: i64 = connection
        .query_row(checkpoint, [], |row| row.get(0))
        .expect("the template is written to its file");
    assert_eq!(is_busy, 0, "the template is still open");
    drop(connection);
    std::fs::rename(&file, &path).expect("the template gets its name");
    path
}

/// Names the build of the running test binary, and so the migrations in it.
fn build() -> String {
    let binary = std::env::current_exe().expect("a test binary has a path");
    let metadata = binary.metadata().expect("a test binary is a file");
    let modified = metadata.modified().expect("it has a time");
    let mut hasher = DefaultHasher::new();
    (binary, modified).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

async fn execute(connection: &mut PgConnection, sql: &str) {
    sqlx::query(AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The server's URL with another database at its end.
fn with_database(server: &str, name: &str) -> String {
    let (base, _) = server.rsplit_once('/').expect("the URL names a database");
    format!("{base}/{name}")
}

/// Declares each test once and runs it on both databases, as `sqlite::NAME` and `postgres::NAME`.
#[macro_export]
macro_rules! on_both_databases {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::database::Backend::Sqlite).await;
            }
        )+}

        mod postgres {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::database::Backend::Postgres).await;
            }
        )+}
    };
}
