"""The systemd unit, with a reason above each line. Pure text: nothing is written or asked here.

A user manager honours ProtectSystem= and its kin only inside a user namespace (systemd.exec(5)), hence PrivateUsers=.
MemoryDenyWriteExecute= is left out: libffi, by which Python reaches inotify, may need such memory. So are
ProtectProc= and ProcSubset=: whether the holder of one of OpenClaw's locks is alive is asked of /proc. A user's unit
is without ProtectKernelLogs=: in containers, which hide /proc/kmsg themselves, it would not start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from syncd.service.unit_words import command_line, quoted

if TYPE_CHECKING:
    from syncd.service.order import Order

MARK: Final = "# Written by `syncd service`"

_USER_HEAD: Final = f"""\
{MARK}: `syncd service install` puts it into ~/.config/systemd/user, and replaces it.
# What is to differ belongs into a drop-in, which stays: systemctl --user edit NAME
"""
_SYSTEM_HEAD: Final = f"""\
{MARK}: for a machine's administrator, who runs it as another user. As root:
#   put it into /etc/systemd/system/NAME
#   systemctl daemon-reload && systemctl enable --now START
"""
_MAIN: Final = """
[Unit]
# What lists of units show.
Description=syncd, which mirrors OpenClaw's sessions into one SQLite ledger
# Failed starts are counted for five minutes:
StartLimitIntervalSec=300
# ten of them are no accident. It stays down then, for somebody to look (syncd service logs).
StartLimitBurst=10
{mounts}
[Service]
# Started means caught up and watching: syncd says so itself.
Type=notify
# Only the daemon's own process is believed.
NotifyAccess=main
{makes}# An absolute path: a manager's PATH is not that of your shell.
ExecStart={command}
# SIGHUP lets it read its configuration again; by the shell's own kill, as a small machine has no other.{beside}
ExecReload={plus}/bin/sh -c "kill -HUP $MAINPID"
{identity}# A crash, a hang or a failed start is tried again; a clean stop is one.
Restart=on-failure
# Long enough for whatever went wrong to pass, short enough that nobody waits.
RestartSec=5
# 75: another syncd holds the ledger. 78: a faulty configuration, or a newer syncd's ledger. Trying again mends neither.
RestartPreventExitStatus=75 78
# 143: told to stop while it was still being loaded. Later than that, a stop ends with 0.
SuccessExitStatus=143
# Fed by the loop as work gets done, by no thread beside it. syncd's own watch, which logs where it hangs, waits 60 s.
WatchdogSec=90
# A ledger of an older syncd is copied and migrated first; reading a large backlog asks for more time as it gets on.
TimeoutStartSec=15min
# A stop takes a second or two; what is cut off here was not committed, and is read again.
TimeoutStopSec=20
# SIGTERM to the daemon alone; what is left after that time is killed.
KillMode=mixed

# A mirror may wait: OpenClaw and you come first, on the processor ...
Nice=10
# ... and on the disk.
IOSchedulingClass=idle
# A first catch-up needs about 150 MB, whatever the size of a line. Above this it is slowed down and its caches go,
MemoryHigh=400M
# and here it ends, and starts again: nothing is lost by that.
MemoryMax=800M
# Where the whole machine is short of memory, rather the mirror than what it mirrors.
OOMScoreAdjust=500
# It has about ten threads, and starts no other program.
TasksMax=64
# A core dump would hold what was said.
LimitCORE=0
# Files 0600, directories 0700.
UMask=0077

# From here on: what it cannot do, so that "OpenClaw's files are never touched" and "no network" need not be believed.
# No right is ever gained.
NoNewPrivileges=yes
{box}# No address but that of the Unix socket by which verbs and the manager speak with it.
RestrictAddressFamilies=AF_UNIX
# It makes no namespaces of its own.
RestrictNamespaces=yes
# It must not be able to take a processor for itself.
RestrictRealtime=yes
# Files that run with another's rights are not its business.
RestrictSUIDSGID=yes
# The kernel's odder personalities are only good for attacks.
LockPersonality=yes
# System calls of this machine's own kind only,
SystemCallArchitectures=native
# those that a service needs,
SystemCallFilter=@system-service
# and of these none that needs rights or moves priorities.
SystemCallFilter=~@privileged @resources
# One that is not allowed is answered, not punished: newer libraries try newer calls first.
SystemCallErrorNumber=EPERM
"""
_BOX: Final = """\
{namespace}# Root's powers, all of them, are out of reach,
CapabilityBoundingSet=
# and none is given.
AmbientCapabilities=
# The whole file system is read-only,
ProtectSystem=strict
# the homes too, OpenClaw's files among them,
ProtectHome=read-only
# but for syncd's own data, state and log.
ReadWritePaths={writable}
{read_only}{temporary}# No disk, no camera, no terminal: only /dev/null and its like.
PrivateDevices=yes
# No network at all.
PrivateNetwork=yes
# And should there be one: no address.
IPAddressDeny=any
# Shared memory and message queues of its own.
PrivateIPC=yes
# What /proc/sys and /sys set stays set,
ProtectKernelTunables=yes
# no module is loaded,
ProtectKernelModules=yes
{kernel_log}# limits of other services stay,
ProtectControlGroups=yes
# the clock stays,
ProtectClock=yes
# and so does the host's name.
ProtectHostname=yes
"""
_BESIDE: Final = " The + keeps it out\n# of the sandbox below: a user's manager cannot let a second process into one."
_NAMESPACE: Final = """\
# The only way in which a user's own manager can do what follows. Inside, your files are yours as ever.
PrivateUsers=yes
"""
_PRIVATE_TMP: Final = """\
# Temporary files of SQLite's are nobody else's to see.
PrivateTmp=yes
"""
_SHARED_TMP: Final = """\
# Something that is meant lies in /tmp or /var/tmp, which PrivateTmp= would hide: SQLite's own go here instead.
Environment={scratch}
"""
_MAKES: Final = """\
# What the sandbox opens for writing must be there: made{by} outside of it (+). If not (-), syncd says what is missing.
ExecStartPre={command}
"""
_KERNEL_LOG: Final = """\
# the kernel's log is not read,
ProtectKernelLogs=yes
"""
_INSTALL: Final = """
[Install]
{reason}
WantedBy={target}
"""


def unit_text(order: Order, name: str) -> str:
    """`name` as the file is called."""
    is_system = order.user is not None
    head = _SYSTEM_HEAD.replace("START", name.replace("@.", "@USER.")) if is_system else _USER_HEAD
    reason = (
        "# With the machine."
        if is_system
        else "# With your first login; with the machine where `loginctl enable-linger` was said."
    )
    target = "multi-user.target" if is_system else "default.target"
    main = _MAIN.format(
        command=_command(order, order.command),
        makes=_makes(order) if order.is_boxed else "",
        identity=_identity(order),
        mounts=_mounts(order),
        beside="" if is_system else _BESIDE,
        plus="" if is_system else "+",
        box=_box(order) if order.is_boxed else "",
    )
    return head.replace("NAME", name) + main + _INSTALL.format(reason=reason, target=target)


def _command(order: Order, words: tuple[str, ...]) -> str:
    return " ".join(words) if order.user == "%i" else command_line(words, home=_home(order))


def _makes(order: Order) -> str:
    """Not as root: in somebody's home links may lead anywhere."""
    words = ("mkdir", "-p", "-m", "0700", *order.writable)
    if order.user is None:
        return _MAKES.format(by="", command=f"-+{_command(order, words)}")
    words = ("runuser", "-u", order.user, "--", *words)
    return _MAKES.format(by=" by the user,", command=f"-+{_command(order, words)}")


def _home(order: Order) -> str | None:
    return order.home if order.user is None else None


def _identity(order: Order) -> str:
    lines = []
    if order.user is not None:
        lines += ["# Whose OpenClaw it is; nobody else's files are read.", f"User={_word(order, order.user)}"]
    if order.environment:
        lines.append("# Set in the shell that installed it: the same files are meant here.")
        lines += [f"Environment={_word(order, f'{name}={value}')}" for name, value in order.environment]
    return "".join(f"{line}\n" for line in lines)


def _mounts(order: Order) -> str:
    if order.user is None or not order.writable:
        return ""
    places = " ".join(_word(order, path) for path in order.writable)
    return f"# A home may be mounted later than this.\nRequiresMountsFor={places}\n"


def _box(order: Order) -> str:
    read_only = ""
    if order.read_only:
        places = " ".join(f"-{_word(order, path)}" for path in order.read_only)
        read_only = f"# OpenClaw's files lie inside these, and stay as they are.\nReadOnlyPaths={places}\n"
    temporary = _PRIVATE_TMP
    if order.scratch is not None:
        temporary = _SHARED_TMP.format(scratch=_word(order, f"SQLITE_TMPDIR={order.scratch}"))
    return _BOX.format(
        temporary=temporary,
        namespace="" if order.user is not None else _NAMESPACE,
        writable=" ".join(f"-{_word(order, path)}" for path in order.writable),
        read_only=read_only,
        kernel_log=_KERNEL_LOG if order.user is not None else "",
    )


def _word(order: Order, text: str) -> str:
    """The names of a template hold systemd's own words already."""
    if order.user == "%i":
        return text
    return quoted(text, home=_home(order))
