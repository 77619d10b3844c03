//! Bounds of sandboxes.

use std::time::Duration;

/// Memory of a sandbox. An agent takes 600 MB at its peak; the rest is for what it builds and runs.
pub const SANDBOX_MEMORY_BYTES_DEFAULT: u64 = 4 * 1024 * 1024 * 1024;
/// Processes and threads of a sandbox. An agent has 15, a browser for its tests 200, a build some hundred.
pub const SANDBOX_PROCESSES_DEFAULT: u32 = 2048;
/// Thousandths of a processor: two, as the hosted providers do.
pub const SANDBOX_CPU_MILLIS_DEFAULT: u32 = 2000;
/// Disk of a sandbox beyond template and snapshot: repositories and what is installed for them.
pub const SANDBOX_DISK_BYTES_DEFAULT: u64 = 10 * 1024 * 1024 * 1024;
/// How long a command in a sandbox may take unless its caller says otherwise.
pub const SANDBOX_EXEC_TIMEOUT: Duration = Duration::from_mins(1);
/// Bytes kept of each output of a command unless its caller says otherwise; callers display some
/// kilobytes.
pub const SANDBOX_EXEC_OUTPUT_BYTES_MAX: usize = 64 * 1024;
/// Bytes of a path in a sandbox: what the kernel takes.
pub const SANDBOX_PATH_BYTES_MAX: usize = 4095;
/// Characters of a reason: the last line of a system program's error output.
pub const SANDBOX_REASON_LENGTH_MAX: usize = 300;
/// Before a failed step is tried again: the usual obstacle (a busy mount, a full table) is over in seconds.
pub const SANDBOX_RETRY_PAUSE: Duration = Duration::from_secs(2);
/// Bytes of a file that is read from a sandbox at once. A verification folder's pictures fit.
pub const SANDBOX_READ_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Bytes of a response of the helper in a container that has no content: some words, or an error of the
/// system.
pub const SANDBOX_ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Names in a directory that are returned at once.
pub const SANDBOX_LIST_ENTRIES_MAX: usize = 10_000;
/// Bytes of such a list from the helper in a container: so many names of 255 bytes, each with a kind and a size.
pub const SANDBOX_LIST_BYTES_MAX: usize = 3 * 1024 * 1024;
/// Bytes of a log that are returned at once.
pub const SANDBOX_LOG_CHUNK_BYTES: usize = 256 * 1024;
/// Files of one program's log that are read, the newest ones: the log is in two, and for a moment in three.
pub const SANDBOX_LOG_FILES_MAX: usize = 4;
/// Longest that a system program may take while a sandbox is created or removed: each takes
/// milliseconds, and seconds on a machine that swaps.
pub const SANDBOX_PROGRAM_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest until a sandbox has stopped or ended: the kernel does it in milliseconds, a process that waits
/// for a disk keeps it longer.
pub const SANDBOX_FREEZE_TIMEOUT: Duration = Duration::from_secs(10);
/// Poll interval for the kernel's state.
pub const SANDBOX_POLL_EVERY: Duration = Duration::from_millis(2);
/// Longest until a new sandbox reports that it is ready.
pub const SANDBOX_READY_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a command's output is read after it has ended: programs it left running may hold it open.
pub const SANDBOX_DRAIN: Duration = Duration::from_millis(200);
/// Layers of a snapshot. A mount takes 4 KB of options, in which each has 80 bytes; deeper chains also make
/// each lookup slower.
pub const SANDBOX_LAYERS_MAX: usize = 8;
/// Sandboxes with a network on one machine: networks of four addresses in 198.18.0.0/16.
pub const SANDBOX_NETWORKS_MAX: u32 = 16_384;
/// Templates that are kept although no sandbox uses them, the most recently used: an agent's version and
/// the one before it, and one to try. Each has 200 MB.
pub const SANDBOX_TEMPLATES_KEPT: usize = 3;
/// Longest that a container engine may take to respond: it copies an image's layer while it does.
pub const SANDBOX_ENGINE_TIMEOUT: Duration = Duration::from_mins(5);
/// Poll interval for whether a silent command or its container still runs; each request takes milliseconds.
pub const SANDBOX_ENGINE_LOOK_EVERY: Duration = Duration::from_millis(500);
/// How often an engine is asked again that reports an unknown container state, and the pause between: a container
/// has such a state while a program of the engine starts and cleans up. Twenty seconds in all.
pub const SANDBOX_ENGINE_SETTLE_TRIES: usize = 400;
pub const SANDBOX_ENGINE_SETTLE_EVERY: Duration = Duration::from_millis(50);
/// Layers of snapshots in a container's image, from which on they are merged into one. Rarer than for local sandboxes:
/// the whole image is read and written, which takes some seconds.
pub const SANDBOX_CONTAINER_LAYERS_MERGED: u32 = 24;
/// Layers of snapshots in a container's image where merging failed. Engines take 127 in all; the rest is for base and
/// template.
pub const SANDBOX_CONTAINER_LAYERS_MAX: u32 = 100;
/// Memory for logs and state of programs in a container: 8 MB of log for each of a dozen.
pub const SANDBOX_CONTAINER_LOG_BYTES: u64 = 128 * 1024 * 1024;
/// Memory for runtime files of system programs: PID files and sockets.
pub const SANDBOX_CONTAINER_RUN_BYTES: u64 = 16 * 1024 * 1024;
/// Files that a program in a container may have open: what builds and development servers need.
pub const SANDBOX_CONTAINER_OPEN_FILES: i64 = 16_384;
/// Processes of one user id, counted over all containers of a machine; each container has its own bound.
/// Engines pass on at most 32,768.
pub const SANDBOX_CONTAINER_TASKS_MAX: i64 = 16_384;
/// Bytes of an image's description that are parsed; each layer and label has some hundred.
pub const SANDBOX_CONTAINER_DESCRIPTION_BYTES_MAX: usize = 1024 * 1024;
/// Destinations that a container may connect to: each has an address in 127.1.0.0/24.
pub const SANDBOX_DESTINATIONS_MAX: usize = 16;
/// Concurrent connections through one proxied port into or out of a container. An agent has a
/// dozen.
pub const SANDBOX_DOOR_CONNECTIONS_MAX: usize = 256;
/// How long one offer to carry a connection into a container is valid: after that it is renewed, to the instance
/// that has the sandbox then. Each costs a connection within the machine.
pub const SANDBOX_CARRIER_OFFER: Duration = Duration::from_secs(10);
/// Longest wait for an offer: the next offer is made as soon as one was used, and takes a millisecond.
pub const SANDBOX_CARRIER_WAIT: Duration = Duration::from_secs(1);
/// Longest until a carrier reports whether it has connected: it forks for it, on a machine that may be busy. A stopped
/// one reports nothing.
pub const SANDBOX_CARRIER_ANSWER_MAX: Duration = Duration::from_secs(5);
/// Offers that are kept. One is made at a time; more come from programs that impersonate a carrier.
pub const SANDBOX_CARRIERS_MAX: usize = 8;
/// How often the processes of an ending sandbox are killed, if new ones appear meanwhile: a process that forks stops
/// at its next step.
pub const SANDBOX_KILLS_MAX: u32 = 20;

// --- Snapshots ------------------------------------------------------------------------------------

/// Files and directories of a home directory that a snapshot holds: a dozen large repositories with their
/// dependencies. Their names are sorted in memory.
pub const SANDBOX_TREE_ENTRIES_MAX: u64 = 2_000_000;
/// Apparent size of its files, holes included: disks of virtual machines and databases that reserve room.
pub const SANDBOX_TREE_BYTES_MAX: u64 = 1024 * 1024 * 1024 * 1024;
/// Bytes that are read of them: three times the disk of a sandbox, for operators who configure more.
pub const SANDBOX_TREE_DATA_BYTES_MAX: u64 = 32 * 1024 * 1024 * 1024;
/// Bytes of the paths of files with several names, which are kept until the end: half a million of usual length.
pub const SANDBOX_TREE_LINK_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Longest that a sandbox is frozen while it is copied: 10 GB at the 100 MB/s of a busy disk.
pub const SANDBOX_STAGE_TIMEOUT: Duration = Duration::from_mins(2);
/// Longest until the copy was read back, or several of them were merged.
pub const SANDBOX_PUBLISH_TIMEOUT: Duration = Duration::from_mins(5);
/// Bytes that a container may have changed, with the holes of its files: engines write holes as zeros, and each of
/// their intermediate copies takes as much of the machine's disk.
pub const SANDBOX_CONTAINER_CHANGES_BYTES_MAX: u64 = 16 * 1024 * 1024 * 1024;
/// Bytes of the whole image of a snapshot: twice that, and 8 GiB for base and template. Merging its layers takes up to five
/// copies of it on the machine's disk. Layers are merged as soon as another change of the largest size would not fit.
pub const SANDBOX_CONTAINER_IMAGE_BYTES_MAX: u64 = 40 * 1024 * 1024 * 1024;

// --- What the kernel counts -----------------------------------------------------------------------

/// Programs of one sandbox that watch files: each development server, compiler and test runner is one. A kernel gives a user
/// 128 by default, of which four sandboxes of one user would have all.
pub const SANDBOX_INOTIFY_INSTANCES_MAX: u64 = 32;
/// Files and directories that they watch: a large repository with its dependencies. Each takes a kilobyte of the
/// kernel.
pub const SANDBOX_INOTIFY_WATCHES_MAX: u64 = 65_536;
/// Namespaces of users and mounts: each command that is run in a sandbox has some of its own, and the filter of system calls
/// lets no program make more.
pub const SANDBOX_NAMESPACES_MAX: u64 = 4096;
/// The other kinds: of processes, names and messages there is one for each sandbox.
pub const SANDBOX_OTHER_NAMESPACES_MAX: u64 = 16;
/// Pending signals and timers: programs have a handful. A kernel gives a user as many as there are processes.
pub const SANDBOX_PENDING_SIGNALS_MAX: u64 = 2048;
/// Bytes in message queues, which almost nothing uses: a third of what a kernel gives a user.
pub const SANDBOX_MESSAGE_QUEUE_BYTES_MAX: u64 = 256 * 1024;
/// Memory that cannot be swapped out: what a kernel gives a user.
pub const SANDBOX_LOCKED_MEMORY_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Files that a program may have open: what builds and development servers need.
pub const SANDBOX_OPEN_FILES_MAX: u64 = 16_384;
