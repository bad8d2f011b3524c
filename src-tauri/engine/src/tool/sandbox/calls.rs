//! Which calls to the kernel a confined script may make: all but those that no script of a skill needs, and that
//! reach what namespaces do not hide, such as the keys of the session, or large parts of the kernel. A refused call ends
//! as if the kernel did not know it, so that programs do without it.

use std::collections::BTreeMap;
use std::io;

use config::Network;
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

/// The filter as bubblewrap reads it: the instructions, one after the other, as the kernel has them in memory. With the
/// network of this machine come the sockets of its programs that have no file, so then there are none of that kind.
pub(super) fn filter(network: Network) -> io::Result<Vec<u8>> {
    let program = program(rules(network).map_err(io::Error::other)?, libc::ENOSYS)?;
    Ok(OTHER_NUMBERS.iter().chain(&program).flat_map(bytes).collect())
}

/// For Landlock, which has no namespaces: what reaches other processes, other files by their names, or anything by a socket
/// is refused too. And what changes modes, owners and times does nothing, since Landlock does not keep it from files
/// outside; it ends well, because programs that copy files take an error there for the end.
pub(super) fn landlock_filters() -> io::Result<[BpfProgram; 3]> {
    let mut refused = rules(Network::Denied).map_err(io::Error::other)?;
    refused.extend(REFUSED_WITHOUT_NAMESPACES.iter().map(|call| (*call, Vec::new())));
    refused.extend(narrowed().map_err(io::Error::other)?);
    let refused = program(refused, libc::ENOSYS)?;
    let idle = program(IDLE.iter().map(|call| (*call, Vec::new())).collect(), 0)?;
    let without = program(ATTRIBUTES.iter().map(|call| (*call, Vec::new())).collect(), libc::ENOTSUP)?;
    Ok([OTHER_NUMBERS.iter().cloned().chain(refused).collect(), idle, without])
}

fn program(rules: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let action = SeccompAction::Errno(error.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch).map_err(io::Error::other)?;
    filter.try_into().map_err(|error: seccompiler::BackendError| io::Error::other(error))
}

/// Refused under Landlock, in addition to [`REFUSED`].
const REFUSED_WITHOUT_NAMESPACES: &[c_long] = &[
    // All sockets but pairs. Landlock does not check connections to sockets in folders.
    libc::SYS_socket,
    // Queues and locks that are shared by number or name.
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // The names of files that others change.
    libc::SYS_inotify_init1,
    // Other processes of the same user.
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
];

/// Extended attributes of files, also of those outside. Those of an open file can be read. Refused as if the disk had
/// none, since programs that copy files stop at any other error.
const ATTRIBUTES: &[c_long] =
    &[libc::SYS_getxattr, libc::SYS_lgetxattr, GETXATTRAT, libc::SYS_listxattr, libc::SYS_llistxattr, LISTXATTRAT];

/// Calls whose arguments decide.
fn narrowed() -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let word = |argument, operator, value: u32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, u64::from(value))
    };
    let one = |condition: Result<SeccompCondition, seccompiler::BackendError>| SeccompRule::new(vec![condition?]);
    let other_process = || one(word(0, SeccompCmpOp::Ne, 0));
    let mut rules = BTreeMap::new();
    let by_number = [
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_getaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ];
    for call in by_number {
        rules.insert(call, vec![other_process()?]);
    }
    // Of a group or a user, or of another process.
    for call in [libc::SYS_setpriority, libc::SYS_getpriority] {
        rules.insert(call, vec![other_process()?, one(word(1, SeccompCmpOp::Ne, 0))?]);
    }
    rules.insert(libc::SYS_ioprio_set, vec![one(word(0, SeccompCmpOp::Ne, 1))?, one(word(1, SeccompCmpOp::Ne, 0))?]);
    // The mark by which processes are found.
    let changed = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let marked = SeccompRule::new(vec![word(1, SeccompCmpOp::Eq, libc::RLIMIT_RTTIME)?, changed])?;
    rules.insert(libc::SYS_prlimit64, vec![other_process()?, marked]);
    rules.insert(libc::SYS_setrlimit, vec![one(word(0, SeccompCmpOp::Eq, libc::RLIMIT_RTTIME))?]);
    rules.insert(libc::SYS_socketpair, unconnected()?);
    Ok(rules)
}

/// Pairs of sockets of which one could be given another address: of other families than `AF_UNIX`, and all kinds but streams
/// and sequences of packets. The kernel makes datagrams of `SOCK_RAW`.
/// <https://github.com/torvalds/linux/blob/v6.18/net/unix/af_unix.c>, `unix_create`
fn unconnected() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let word = |argument, operator, value: i32| {
        let value = u64::from(value.cast_unsigned());
        SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?])
    };
    let kinds = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_DCCP];
    let kinds = kinds.into_iter().map(|kind| word(1, SeccompCmpOp::MaskedEq(0xF), kind));
    std::iter::once(word(0, SeccompCmpOp::Ne, libc::AF_UNIX)).chain(kinds).collect()
}

/// Newer than the library that names the others; of the same number everywhere.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const GETXATTRAT: c_long = 464;
const LISTXATTRAT: c_long = 465;
const REMOVEXATTRAT: c_long = 466;
const FILE_SETATTR: c_long = 469;

/// Do nothing under Landlock.
const IDLE: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Refused whatever their arguments are.
const REFUSED: &[c_long] = &[
    // Keys of the user's session.
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    // Namespaces and mounts. The arguments of `clone3` are in memory, where no filter can see them; programs fall back
    // to `clone`.
    libc::SYS_clone3,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_by_handle_at,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Memory that no limit counts.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    // Large parts of the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_sethostname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
];

/// Kinds of sockets. Others, `AF_VSOCK` among them, do not stop at namespaces.
const FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Requests that put letters into a terminal as if they were typed: `TIOCSTI` and `TIOCLINUX`.
const TYPING: [i32; 2] = [0x5412, 0x541C];

fn rules(network: Network) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let word = |argument, operator, value: i32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, u64::from(value.cast_unsigned()))
    };
    let families = FAMILIES.into_iter().filter(|family| network == Network::Denied || *family != libc::AF_UNIX);
    let other_family = families.map(|family| word(0, SeccompCmpOp::Ne, family));
    let other_family = SeccompRule::new(other_family.collect::<Result<_, _>>()?)?;
    let user = u64::from(libc::CLONE_NEWUSER.cast_unsigned());
    let new_user = SeccompRule::new(vec![word(0, SeccompCmpOp::MaskedEq(user), libc::CLONE_NEWUSER)?])?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_socket, vec![other_family]);
    if network == Network::Allowed {
        rules.insert(libc::SYS_socketpair, unconnected()?);
    }
    rules.insert(libc::SYS_clone, vec![new_user]);
    // The limit of memory counts what a process has for itself, and not what it shares without a file.
    let shared = u64::from((libc::MAP_SHARED | libc::MAP_ANONYMOUS).cast_unsigned());
    let shares = word(3, SeccompCmpOp::MaskedEq(shared), libc::MAP_SHARED | libc::MAP_ANONYMOUS)?;
    rules.insert(libc::SYS_mmap, vec![SeccompRule::new(vec![shares])?]);
    // Whatever is typed so, the user's shell runs once we are gone.
    let typing = TYPING.map(|request| SeccompRule::new(vec![word(1, SeccompCmpOp::Eq, request)?]));
    rules.insert(libc::SYS_ioctl, typing.into_iter().collect::<Result<_, _>>()?);
    Ok(rules)
}

/// `x86_64` has a second set of numbers for the same calls (x32), which begins here.
const X32: u32 = 0x4000_0000;

/// Refuses these. Jumps are relative, so the filter proper may be after.
const OTHER_NUMBERS: [sock_filter; 3] = [
    // The number of the call is the first of what a filter may look at: BPF_LD | BPF_W | BPF_ABS.
    sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 },
    // BPF_JMP | BPF_JGE | BPF_K.
    sock_filter { code: 0x35, jt: 0, jf: 1, k: X32 },
    // BPF_RET | BPF_K.
    sock_filter { code: 0x06, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned() },
];

fn bytes(instruction: &sock_filter) -> [u8; 8] {
    let ([a, b], [e, f, g, h]) = (instruction.code.to_ne_bytes(), instruction.k.to_ne_bytes());
    [a, b, instruction.jt, instruction.jf, e, f, g, h]
}
