//! The system calls that nothing in a sandbox may make. What is not listed is allowed: an agent runs
//! whatever a developer would, and the namespaces are the wall. The list takes away the parts of the kernel
//! that have been ways through it.
//!
//! Programs of another architecture (32 bit) are killed: they would name calls by other numbers.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    os::fd::OwnedFd,
};

use rustix::fs::{MemfdFlags, memfd_create};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Refused with EPERM whatever the arguments are.
const REFUSED: &[i64] = &[
    // Looking into other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // The kernel's keyring belongs to the user, which all sandboxes share.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Work handed to the kernel past this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files by handle, which no directory guards.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    // Programs in the kernel, and the kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    libc::SYS_move_pages,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_OF_ARCH: &[i64] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OF_ARCH: &[i64] = &[];

/// On x86-64 each call has a second number, for programs with 32-bit pointers.
#[cfg(target_arch = "x86_64")]
const SECOND_NUMBERS: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const SECOND_NUMBERS: Option<i64> = None;

/// Every kind of namespace that `clone` could make.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Kinds of sockets that are left. Virtual sockets would pass the network namespace.
const FAMILIES: [i32; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];
const SOCKET_TYPE_MASK: u64 = 0xf;

/// Compiled filters, in files that bubblewrap reads. Shared by all sandboxes of a process.
#[derive(Debug)]
pub(super) struct SeccompFilters([Vec<u8>; 2]);

impl SeccompFilters {
    pub(super) fn compile() -> io::Result<Self> {
        let refused = filter(refused()?, libc::EPERM)?;
        // Its flags are behind a pointer, where no filter sees them; without it libraries use `clone`.
        let absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
        let absent = filter(both_numbers(absent), libc::ENOSYS)?;
        Ok(Self([bytes(&refused), bytes(&absent)]))
    }

    /// Fresh open files: reading one moves its position.
    pub(super) fn files(&self) -> io::Result<Vec<OwnedFd>> {
        self.0.iter().map(|bytes| memory_file(bytes)).collect()
    }
}

/// A file without a name that holds these bytes.
pub(super) fn memory_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let fd = memfd_create("sandbox", MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(fd);
    file.write_all(bytes)?;
    io::Seek::rewind(&mut file)?;
    Ok(file.into())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn refused() -> io::Result<Rules> {
    let mut rules: Rules = BTreeMap::new();
    for number in REFUSED.iter().chain(REFUSED_OF_ARCH) {
        rules.insert(*number, Vec::new());
    }
    let mut clone = Vec::new();
    for flag in NAMESPACES {
        let flag = u64::from(flag.unsigned_abs());
        clone.push(rule([condition(0, SeccompCmpOp::MaskedEq(flag), flag)?])?);
    }
    rules.insert(libc::SYS_clone, clone);
    let other = |family: &i32| condition(0, SeccompCmpOp::Ne, u64::from(family.unsigned_abs()));
    let others: Vec<_> = FAMILIES.iter().map(other).collect::<io::Result<_>>()?;
    let raw = SeccompCmpOp::MaskedEq(SOCKET_TYPE_MASK);
    let netlink = u64::from(libc::AF_NETLINK.unsigned_abs());
    let raw = [
        condition(1, raw, u64::from(libc::SOCK_RAW.unsigned_abs()))?,
        // Asking for the machine's addresses is such a socket too.
        condition(0, SeccompCmpOp::Ne, netlink)?,
    ];
    let asks_other = [
        condition(0, SeccompCmpOp::Eq, netlink)?,
        condition(2, SeccompCmpOp::Ne, 0)?,
    ];
    let sockets = vec![rule(others)?, rule(raw)?, rule(asks_other)?];
    rules.insert(libc::SYS_socket, sockets);
    // Typing into another process's terminal.
    let typing = [0x5412, 0x541c].map(|number| condition(1, SeccompCmpOp::Eq, number));
    let mut ioctl = Vec::new();
    for one in typing {
        ioctl.push(rule([one?])?);
    }
    rules.insert(libc::SYS_ioctl, ioctl);
    Ok(both_numbers(rules))
}

fn both_numbers(mut rules: Rules) -> Rules {
    if let Some(offset) = SECOND_NUMBERS {
        let second: Vec<_> = rules
            .iter()
            .map(|(number, rules)| (number | offset, rules.clone()))
            .collect();
        rules.extend(second);
    }
    rules
}

fn filter(rules: Rules, errno: i32) -> io::Result<BpfProgram> {
    let arch: TargetArch = std::env::consts::ARCH.try_into().map_err(other)?;
    let answer = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, arch).map_err(other)?;
    filter.try_into().map_err(other)
}

fn condition(argument: u8, op: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value).map_err(other)
}

fn rule(conditions: impl Into<Vec<SeccompCondition>>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions.into()).map_err(other)
}

fn other(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// As the kernel has them: `struct sock_filter`, in the machine's byte order.
fn bytes(program: &BpfProgram) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for step in program {
        bytes.extend(step.code.to_ne_bytes());
        bytes.extend([step.jt, step.jf]);
        bytes.extend(step.k.to_ne_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile_to_whole_instructions() {
        let filters = SeccompFilters::compile().unwrap();
        for bytes in &filters.0 {
            assert_eq!(bytes.len() % 8, 0);
            assert!(bytes.len() > 8 * 4);
        }
        assert_eq!(filters.files().unwrap().len(), 2);
    }
}
