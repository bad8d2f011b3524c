"""Attacks of hostile code. Each attempt returns True if it succeeded. `control`: it must succeed without a sandbox,
which is tried too if it does no harm ("root": only as root). Called with a JSON object that names the targets, and a
mode: "attack" tries all, "control" tries only those that must succeed."""

import ctypes, errno, glob, json, mmap, os, platform, resource, signal, socket, stat, subprocess, sys

GIVEN = json.loads(sys.argv[1])
MODE = sys.argv[2]
WORK = os.getcwd()
SKILL = os.path.dirname(os.path.abspath(__file__))
X86 = platform.machine() == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
ATTEMPTS = []


def attempt(name, control=False):
    def keep(tries):
        ATTEMPTS.append((name, control, tries))
        return tries
    return keep


def call(x86, other, *arguments):
    """Whether a call to the kernel is known and allowed: any other error means that its arguments were checked."""
    ctypes.set_errno(0)
    done = libc.syscall(ctypes.c_long(x86 if X86 else other), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    return done >= 0 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM, errno.EACCES)


def read(path):
    with open(path, "rb") as file:
        return file.read(1 << 20)


def writes(path):
    """To a file that is there: in its own /tmp it may make one of the same name."""
    os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    return True


def makes(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    return True


def name_of(path, suffix):
    return os.path.join(WORK, os.path.basename(path) + suffix)


# Reading files outside of the skill.
attempt("read a file of the home folder", True)(lambda: CANARY in read(GIVEN["home"]))
attempt("list the home folder", True)(lambda: os.path.basename(GIVEN["home"]) in os.listdir(os.path.dirname(GIVEN["home"])))
attempt("read a temporary file of another program", True)(lambda: CANARY in read(GIVEN["outside"]))
attempt("list the temporary files of others", True)(lambda: os.path.basename(GIVEN["outside"]) in os.listdir(os.path.dirname(GIVEN["outside"])))
attempt("read the passwords of the system", "root")(lambda: len(read("/etc/shadow")) > 0)
attempt("read who uses this machine", True)(lambda: b"root" in read("/etc/passwd"))
attempt("read the name of this machine", False)(lambda: len(read("/etc/hostname")) > 0)
attempt("read which machine this is", False)(lambda: len(read("/etc/machine-id")) > 0)
attempt("read the environment of the program", True)(lambda: b"CARGO" in read(f"/proc/{GIVEN['pid']}/environ"))
attempt("read the memory map of the program", True)(lambda: GIVEN["program"].encode() in read(f"/proc/{GIVEN['pid']}/maps"))
attempt("read through the root of the program", True)(lambda: CANARY in read(f"/proc/{GIVEN['pid']}/root{GIVEN['outside']}"))
attempt("read through the root of the first process")(lambda: CANARY in read(f"/proc/1/root{GIVEN['outside']}"))
attempt("read through the folder that the program is in", True)(lambda: len(os.listdir(f"/proc/{GIVEN['pid']}/cwd")) > 0)
attempt("read through what the program has open", True)(lambda: len(os.listdir(f"/proc/{GIVEN['pid']}/fd")) > 0)
attempt("read through a link that the skill brings", True)(lambda: CANARY in read(os.path.join(SKILL, "linked")))
attempt("read by going up from the run's folder", True)(lambda: CANARY in read(os.path.relpath(GIVEN["outside"], WORK)))
attempt("read the folder of another run", True)(lambda: CANARY in read(os.path.join(os.path.dirname(WORK), "other-run", "note")))
attempt("read disks as devices")(lambda: any(read(path) for path in glob.glob("/dev/[svx]d[a-z]") + glob.glob("/dev/nvme*")))
attempt("read the memory of the kernel")(lambda: any(os.access(path, os.R_OK) and read(path) for path in ("/dev/mem", "/dev/kmem", "/proc/kcore")))
attempt("list the keys of the session")(lambda: len(read("/proc/keys")) > 0)
attempt("find a variable that holds a key")(lambda: any(word in name for name in os.environ for word in ("KEY", "TOKEN", "SECRET", "PASS")))
attempt("find the sockets of agents and displays")(lambda: any(name in os.environ for name in ("SSH_AUTH_SOCK", "GPG_AGENT_INFO", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XAUTHORITY")))
attempt("find a variable of the program", False)(lambda: any(name.startswith("CARGO") for name in os.environ))
attempt("read by a handle in place of a path")(lambda: call(304, 265, 0, 0, 0))


@attempt("read through a link of its own", True)
def _():
    link = name_of(GIVEN["outside"], "-link")
    os.symlink(GIVEN["outside"], link)
    try:
        return CANARY in read(link)
    finally:
        os.unlink(link)


# Attacks that bubblewrap alone allows and Landlock inside does not. `rules`: Landlock is inside.
def own(name, text):
    """Writes what the kernel says of this process."""
    with open(f"/proc/self/{name}", "wb", buffering=0) as file:
        file.write(text)
    return True


def opens(path):
    with open(path, "r+b", buffering=0):
        return True


if GIVEN["rules"]:
    attempt("call itself something else for who looks at processes", True)(lambda: own("comm", b"innocent"))
    attempt("choose who is killed when memory runs out", True)(lambda: own("oom_score_adj", b"900"))
    attempt("choose what is in a dump of its memory", True)(lambda: own("coredump_filter", b"0x7f"))
    attempt("forget which pages it touched", True)(lambda: own("clear_refs", b"1"))
    attempt("write to its memory by a file, past what may be written there", True)(lambda: opens("/proc/self/mem"))
    attempt("rename a thread of its own by a file", True)(lambda: own(f"task/{os.getpid()}/comm", b"innocent"))
    attempt("read the program that confines it")(lambda: len(read("/.skillbench-confine")) > 0)
    attempt("run the program that confines it")(lambda: subprocess.run(["/.skillbench-confine"], capture_output=True).returncode >= 0)
    attempt("read the environment of the first process")(lambda: read("/proc/1/environ") is not None)
    attempt("open the memory of the first process")(lambda: opens("/proc/1/mem"))

# Writing.
attempt("change the skill", True)(lambda: writes(os.path.join(SKILL, "SKILL.md")))
attempt("change the script that runs", True)(lambda: writes(os.path.abspath(__file__)))
attempt("add a file to the skill", False)(lambda: makes(os.path.join(SKILL, "added.py")))
attempt("delete a file of the skill")(lambda: os.unlink(os.path.join(SKILL, "SKILL.md")) is None)
attempt("rename the skill")(lambda: os.rename(SKILL, SKILL + "-gone") is None)
attempt("write to a file of the home folder", True)(lambda: writes(GIVEN["home"]))
attempt("write to a temporary file of another program", True)(lambda: writes(GIVEN["outside"]))
attempt("write to the folder of another run", True)(lambda: writes(os.path.join(os.path.dirname(WORK), "other-run", "note")))
attempt("write among the system's programs")(lambda: makes("/usr/bin/skillbench-attack"))
attempt("write to the system's settings")(lambda: makes("/etc/skillbench-attack"))
attempt("write to the root folder")(lambda: makes("/skillbench-attack"))
attempt("write to the settings of the kernel")(lambda: writes("/proc/sys/kernel/core_pattern"))
attempt("ask the kernel for something by its own keys")(lambda: writes("/proc/sysrq-trigger"))
attempt("link a file of another program into the run's folder", "root")(lambda: os.link(GIVEN["outside"], name_of(GIVEN["outside"], "-hard")) is None)
attempt("link a file of the skill into the run's folder", False)(lambda: os.link(os.path.join(SKILL, "SKILL.md"), os.path.join(WORK, "hard")) is None)
attempt("make a device", "root")(lambda: os.mknod(os.path.join(WORK, "device"), stat.S_IFCHR | 0o600, os.makedev(1, 5)) is None)


def changed(path, change, fact):
    """Whether a change has an effect: a call may end well and do nothing."""
    before = fact(os.stat(path))
    change(path)
    return fact(os.stat(path)) != before


def mode(facts):
    return stat.S_IMODE(facts.st_mode)


attempt("change the mode of a file of the skill", True)(lambda: changed(os.path.join(SKILL, "SKILL.md"), lambda path: os.chmod(path, 0o604), mode))
attempt("change the mode of a file of another program", True)(lambda: changed(GIVEN["outside"], lambda path: os.chmod(path, 0o606), mode))
attempt("set the time of a file of the skill", True)(lambda: changed(os.path.join(SKILL, "SKILL.md"), lambda path: os.utime(path, (1, 1)), lambda facts: facts.st_mtime))
attempt("set the time of a file of another program", True)(lambda: changed(GIVEN["home"], lambda path: os.utime(path, (1, 1)), lambda facts: facts.st_mtime))
attempt("give a file of another program an attribute")(lambda: os.setxattr(GIVEN["outside"], "user.skillbench", b"x") is None and os.getxattr(GIVEN["outside"], "user.skillbench") == b"x")
attempt("empty a file of another program")(lambda: changed(GIVEN["outside"], lambda path: os.truncate(path, 0), lambda facts: facts.st_size))


@attempt("change the mode of an open file of the skill")
def _():
    path = os.path.join(SKILL, "SKILL.md")
    with open(path) as file:
        return changed(path, lambda _: os.fchmod(file.fileno(), 0o640), mode)


@attempt("write through a link of its own", True)
def _():
    link = name_of(GIVEN["outside"], "-out")
    os.symlink(GIVEN["outside"], link)
    try:
        return writes(link)
    finally:
        os.unlink(link)


@attempt("become root by a program that is run as its owner")
def _():
    return subprocess.run(["su", "-c", "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=5).returncode == 0


@attempt("become root by asking for it", "root")
def _():
    child = subprocess.run([sys.executable, "-c", "import os; os.setuid(0)"], capture_output=True)
    return child.returncode == 0


# Mounts and namespaces.
attempt("mount something", False)(lambda: call(165, 40, b"none", b"/tmp", b"tmpfs", 0, 0))
attempt("make the skill writable by mounting it again")(lambda: call(165, 40, 0, SKILL.encode(), 0, 0x1020, 0))
attempt("take away a mount")(lambda: call(166, 39, b"/tmp", 2))
attempt("take a mount apart by handle")(lambda: call(428, 428, -100, SKILL.encode(), 1))
attempt("open a file system by hand")(lambda: call(430, 430, b"tmpfs", 0))
attempt("change root", False)(lambda: call(161, 51, WORK.encode()))
attempt("change root by pivoting")(lambda: call(155, 41, WORK.encode(), WORK.encode()))
attempt("make a namespace of users", False)(lambda: call(272, 97, 0x10000000))
attempt("make a namespace of mounts", False)(lambda: call(272, 97, 0x00020000))
attempt("make a process in a namespace of users")(lambda: call(435, 435, 0, 0))
attempt("enter the namespace of another process")(lambda: call(308, 268, -1, 0))

# The network.
def connected(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as link:
        link.settimeout(2)
        link.connect(address)
        return True


attempt("connect to a server of this machine", True)(lambda: connected(socket.AF_INET, ("127.0.0.1", GIVEN["tcp"])))
attempt("connect to a server of this machine by a socket in a folder", True)(lambda: connected(socket.AF_UNIX, GIVEN["unix"]))
attempt("connect to a server of this machine by a socket without a file", True)(lambda: connected(socket.AF_UNIX, "\0" + GIVEN["abstract"]))
attempt("connect to a server in the internet")(lambda: connected(socket.AF_INET, ("192.0.2.1", 80)))
attempt("ask for the address of a name")(lambda: bool(socket.getaddrinfo("example.com", 80)))
attempt("read all packets")(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW) is not None)
attempt("send packets of its own making")(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) is not None)
attempt("talk to the host of a virtual machine")(lambda: socket.socket(40, socket.SOCK_STREAM) is not None)
attempt("talk to Bluetooth")(lambda: socket.socket(31, socket.SOCK_RAW, 1) is not None)
attempt("talk to the kernel's encryption")(lambda: socket.socket(38, socket.SOCK_SEQPACKET) is not None)
attempt("see the interfaces of this machine")(lambda: any(name != "lo" for _, name in socket.if_nameindex()))

@attempt("turn one of a pair of sockets to a server of this machine", True)
def _():
    # The kernel makes datagrams of SOCK_RAW.
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        # Data that a connected pair sends to an address goes to the other end of the pair.
        sends = [lambda one, server: one.sendto(b"x", server)] if kind in (socket.SOCK_DGRAM, socket.SOCK_RAW) else []
        for reach in [socket.socket.connect, *sends]:
            for server in (GIVEN["unix"], "\0" + GIVEN["abstract"]):
                try:
                    one, _ = socket.socketpair(socket.AF_UNIX, kind)
                    reach(one, server)
                    return True
                except OSError as error:
                    # It was reached, and is of another kind. Of one with a connection the kernel tells the kind before it
                    # refuses another connection, so that says nothing.
                    if error.errno == errno.EPROTOTYPE and sends:
                        return True
    return False


attempt("read the attributes of a file elsewhere", True)(lambda: os.listxattr(GIVEN["home"]) is not None)


# Other processes.
def changed_limit():
    """Bubblewrap's processes bear no mark, and have no limit there either."""
    before = resource.getrlimit(15)
    if before == (resource.RLIM_INFINITY, resource.RLIM_INFINITY):
        return False
    resource.setrlimit(15, (1 << 61, 1 << 61))
    return resource.getrlimit(15) != before


def watches(folder):
    """0x100: IN_CREATE."""
    handle = libc.inotify_init1(0)
    return handle >= 0 and libc.inotify_add_watch(handle, folder.encode(), 0x100) >= 0


attempt("signal the program", True)(lambda: os.kill(GIVEN["pid"], 0) is None)
attempt("change the priority of the program", True)(lambda: os.getpriority(os.PRIO_PROCESS, GIVEN["pid"]) is not None)
attempt("read the limits of the program", True)(lambda: resource.prlimit(GIVEN["pid"], resource.RLIMIT_NOFILE) is not None)
attempt("limit the program")(lambda: resource.prlimit(GIVEN["pid"], resource.RLIMIT_CORE, (0, 0)) is not None)
attempt("take off the mark of its processes")(lambda: resource.getrlimit(getattr(resource, "RLIMIT_RTTIME", 15))[0] > 1 << 61 and changed_limit())
attempt("hear of the files that others change")(lambda: call(294, 26, 0) and watches(os.path.dirname(GIVEN["home"])))
attempt("bind the program to a processor", True)(lambda: os.sched_getaffinity(GIVEN["pid"]) is not None)
attempt("trace another process")(lambda: call(101, 117, 16, GIVEN["pid"], 0, 0))
attempt("be traced")(lambda: call(101, 117, 0, 0, 0, 0))
attempt("read the memory of another process")(lambda: call(310, 270, GIVEN["pid"], 0, 0, 0, 0, 0))
attempt("write to the memory of another process")(lambda: call(311, 271, GIVEN["pid"], 0, 0, 0, 0, 0))
attempt("take a file that another process has open")(lambda: call(438, 438, 0, 0, 0))
attempt("compare itself with another process")(lambda: call(312, 272, GIVEN["pid"], os.getpid(), 0, 0, 0))


@attempt("see the processes of others", True)
def _():
    lines = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            lines.append(read(path))
        except OSError:
            pass
    return any(GIVEN["program"].encode() in line and b"attacks.py" not in line for line in lines)


@attempt("type on the terminal of the user")
def _():
    import fcntl, termios
    with open("/dev/tty", "w") as terminal:
        fcntl.ioctl(terminal, termios.TIOCSTI, b"x")
    return True


# Parts of the kernel that no script needs.
attempt("add a key to the session")(lambda: call(248, 217, b"user", b"a", b"b", 1, -2))
attempt("read a key of the session")(lambda: call(250, 219, 0, -3, 0))
attempt("ask for a key of the session")(lambda: call(249, 218, b"user", b"a", 0, -2))
attempt("load a program into the kernel")(lambda: call(321, 280, 0, 0, 0))
attempt("count what the processor does")(lambda: call(298, 241, 0, 0, -1, -1, 0))
attempt("handle its own page faults")(lambda: call(323, 282, 0))
attempt("make calls by a ring", False)(lambda: call(425, 425, 1, 0))
attempt("watch all files")(lambda: call(300, 262, 0, 0))
attempt("load a module")(lambda: call(313, 273, -1, 0, 0))
attempt("load another kernel")(lambda: call(246, 104, 0, 0, 0, 0))
attempt("read the log of the kernel")(lambda: call(103, 116, 10, 0, 0))
attempt("change quotas")(lambda: call(179, 60, 0, 0, 0, 0))
attempt("swap to a file")(lambda: call(167, 224, b"/nowhere", 0))
attempt("name the machine")(lambda: call(170, 161, b"x", 1))
attempt("set the clock")(lambda: call(164, 170, 0, 0) if os.geteuid() == 0 else False)
if X86:
    attempt("make calls by other numbers")(lambda: call(0x40000000 | 39, 0))

# Taking too much.


def fills(memory):
    memory[0] = memory[-1] = 1
    return True


@attempt("start processes without end")
def _():
    made = []
    try:
        for _ in range(600):
            child = os.fork()
            if child == 0:
                signal.pause()
                os._exit(0)
            made.append(child)
        return True
    finally:
        for child in made:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


attempt("take three gigabytes of memory")(lambda: len(bytearray(3 << 30)) > 0)
attempt("take three gigabytes of memory that it shares with nobody")(lambda: fills(mmap.mmap(-1, 3 << 30)))
attempt("take memory as a file without a name")(lambda: os.memfd_create("large") >= 0)
attempt("take memory by number")(lambda: call(29, 194, 0, 4096, 0o1600))
attempt("open files without end")(lambda: len([open("/dev/null") for _ in range(2000)]) == 2000)


@attempt("write a file without end")
def _():
    path = os.path.join(WORK, "large")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with open(path, "wb") as file:
            file.truncate(64 << 20)
        return True
    finally:
        os.unlink(path)


CANARY = GIVEN["canary"].encode()
came = {}
for name, control, tries in ATTEMPTS:
    expected = control is True or (control == "root" and os.geteuid() == 0)
    if MODE == "control" and not expected:
        continue
    try:
        came[name] = bool(tries())
    except (OSError, MemoryError, ValueError, OverflowError, subprocess.SubprocessError):
        came[name] = False
try:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.sendto(b"out", ("127.0.0.1", GIVEN["udp"]))
except OSError:
    pass
print(json.dumps(came))
