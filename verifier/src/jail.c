/* SPDX-License-Identifier: Apache-2.0 */
#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

int gv_jail_uid(void)
{
	return geteuid() == 0 ? NOBODY : -1;
}

static _Noreturn void become_question(const char *program, int out)
{
	static const char question[] =
	    "import sys, pytest; print(sys.executable, sys.prefix, "
	    "sys.base_prefix, '.'.join(map(str, sys.version_info[:3])), "
	    "pytest.__version__, sep='\\n')";
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
	    dup2(null, 2) < 0)
		_exit(126);
	execlp(program, program, "-I", "-c", question, (char *)NULL);
	_exit(127);
}

/* What the interpreter says of itself; false where it lacks pytest. */
static bool ask_python(const char *program, struct gv_python *python)
{
	char *lines[5] = {0}, said[4096], *rest = said;
	size_t n = 0, size = 0;
	int fds[2], status = -1;
	pid_t pid;
	ssize_t got;

	if (pipe2(fds, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		gv_die("cannot start a process: %s", strerror(errno));
	if (pid == 0)
		become_question(program, fds[1]);
	close(fds[1]);
	while (size < sizeof(said) - 1 &&
	       (got = read(fds[0], said + size, sizeof(said) - 1 - size)) > 0)
		size += (size_t)got;
	said[size] = '\0';
	close(fds[0]);
	if (waitpid(pid, &status, 0) < 0 || status != 0)
		return false;
	while (n < 5 && rest)
		lines[n++] = gv_dup(strsep(&rest, "\n"));
	/* with no PATH it does not know where it is itself */
	if (n < 5 || !*lines[0]) {
		while (n)
			free(lines[--n]);
		return false;
	}
	*python = (struct gv_python){
	    lines[0], lines[1], lines[2], lines[3], lines[4]};
	return true;
}

bool gv_find_python(const char *wanted, struct gv_python *python)
{
	static const char *const usual[] = {"python3", "/usr/bin/python3"};

	*python = (struct gv_python){0};
	if (wanted)
		return ask_python(wanted, python);
	for (size_t i = 0; i < GV_COUNT(usual); i++)
		if (ask_python(usual[i], python))
			return true;
	return false;
}

void gv_free_python(struct gv_python *python)
{
	free(python->program);
	free(python->prefix);
	free(python->base);
	free(python->version);
	free(python->pytest);
	*python = (struct gv_python){0};
}

struct args {
	char *v[256 + 1];
	size_t n;
};

static void arg(struct args *a, const char *word)
{
	if (a->n == GV_COUNT(a->v) - 1)
		gv_die("too many words for the sandbox");
	a->v[a->n++] = gv_loose(word);
}

static void args(struct args *a, const char *const *words)
{
	for (; *words; words++)
		arg(a, *words);
}

static void words(struct args *a, const char *line)
{
	char *rest = gv_dup(line), *word;

	while ((word = strsep(&rest, " ")))
		arg(a, word);
}

static void bind_ro(struct args *a, const char *path)
{
	arg(a, "--ro-bind-try");
	arg(a, path);
	arg(a, path);
}

static void set(struct args *a, const char *name, const char *value)
{
	arg(a, "--setenv");
	arg(a, name);
	arg(a, value);
}

/* Sleeping needs the true monotonic clock. */
static void move_clock(struct args *a, int days)
{
	glob_t found = {0};
	char *ahead = gv_format("+%dd", days);

	if (glob("/usr/lib/*/faketime/libfaketime.so.1", 0, NULL, &found) != 0)
		gv_die("libfaketime is not installed; without it the clock "
		       "cannot be moved");
	set(a, "LD_PRELOAD", gv_dup(found.gl_pathv[0]));
	set(a, "FAKETIME", ahead);
	set(a, "FAKETIME_DONT_FAKE_MONOTONIC", "1");
	globfree(&found);
}

/* Everything before the command: a root of nothing but /usr, read-only. */
static void walls(struct args *a, const struct gv_jail *jail, int status_fd)
{
	static const char first[] =
	    "bwrap --unshare-all --unshare-user --disable-userns "
	    "--die-with-parent --new-session --cap-drop ALL --clearenv "
	    "--uid 1000 --gid 1000 --hostname verify --proc /proc --dev /dev "
	    "--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin "
	    "--symlink usr/lib /lib --symlink usr/lib64 /lib64 --tmpfs /tmp "
	    "--dir /home/verify --dir /box";
	static const char etc[] =
	    "/etc/ld.so.cache /etc/alternatives /etc/passwd /etc/group "
	    "/etc/nsswitch.conf /etc/mime.types /etc/python3 /etc/python3.11";
	static char seed[16], status[16];

	words(a, first);
	for (char *rest = gv_dup(etc), *path; (path = strsep(&rest, " "));)
		bind_ro(a, path);
	if (!gv_starts(jail->python->prefix, "/usr"))
		bind_ro(a, jail->python->prefix);
	if (!gv_starts(jail->python->base, "/usr"))
		bind_ro(a, jail->python->base);
	args(a, (const char *const[]){"--bind", jail->out, GV_OUT, NULL});
	if (jail->tree)
		args(a,
		    (const char *const[]){"--bind", jail->tree, GV_TREE, NULL});
	if (jail->help)
		args(a, (const char *const[]){
		            "--ro-bind", jail->help, "/box/help", NULL});
	set(a, "PATH", "/usr/local/bin:/usr/bin:/bin");
	set(a, "HOME", "/home/verify");
	set(a, "TMPDIR", "/tmp");
	set(a, "TZ", "UTC");
	set(a, "LC_ALL", "C.UTF-8");
	snprintf(seed, sizeof(seed), "%d", jail->seed);
	set(a, "PYTHONHASHSEED", seed);
	set(a, "PYTHONDONTWRITEBYTECODE", "1");
	set(a, "PYTHONNOUSERSITE", "1");
	set(a, "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1");
	if (jail->path)
		set(a, "PYTHONPATH", jail->path);
	if (jail->days_ahead)
		move_clock(a, jail->days_ahead);
	snprintf(status, sizeof(status), "%d", status_fd);
	args(a, (const char *const[]){"--json-status-fd", status, "--chdir",
	            jail->tree ? GV_TREE : GV_OUT, "--", NULL});
}

static void limit(int what, rlim_t most)
{
	struct rlimit r = {most, most};
	struct rlimit now;

	if (getrlimit((__rlimit_resource_t)what, &now) == 0 &&
	    now.rlim_max < most)
		r.rlim_cur = r.rlim_max = now.rlim_max;
	(void)setrlimit((__rlimit_resource_t)what, &r);
}

static _Noreturn void become_jail(
    const struct gv_jail *jail, int status_fd, char *const *argv)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open(jail->log, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
	    dup2(out, 2) < 0)
		_exit(126);
	(void)fcntl(status_fd, F_SETFD, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, (rlim_t)1 << 30);
	limit(RLIMIT_AS, (rlim_t)16 << 30);
	limit(RLIMIT_NOFILE, 4096);
	if (jail->uid >= 0 && (setresgid((gid_t)jail->uid, (gid_t)jail->uid,
	                           (gid_t)jail->uid) < 0 ||
	                          setresuid((uid_t)jail->uid, (uid_t)jail->uid,
	                              (uid_t)jail->uid) < 0))
		_exit(126);
	execvp(argv[0], argv);
	_exit(127);
}

/* Waits for the end or for the time to be up; a killed bubblewrap takes its
 * whole process namespace along. */
static int wait_for(pid_t pid, int timeout_ms, bool *timeout)
{
	struct pollfd p = {.events = POLLIN};
	int64_t until = gv_now_ms() + timeout_ms;
	int status;

	p.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (p.fd < 0)
		gv_die("cannot watch a process: %s", strerror(errno));
	for (;;) {
		int64_t left = until - gv_now_ms();
		int n = poll(&p, 1, left < 0 ? 0 : (int)left);

		if (n > 0)
			break;
		if (n == 0) {
			*timeout = true;
			(void)kill(pid, SIGKILL);
			break;
		}
		if (errno != EINTR)
			gv_die("cannot wait: %s", strerror(errno));
	}
	close(p.fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			gv_die("cannot wait: %s", strerror(errno));
	return status;
}

static void say_why_not(const struct gv_jail *jail, int status)
{
	struct gv_buf said = {0};

	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		gv_die("the sandbox does not start: bwrap is not installed "
		       "(package bubblewrap)");
	(void)gv_read(jail->log, &said);
	gv_die("the sandbox does not start: %.400s", gv_text(&said));
}

/* What bubblewrap says of the process; it is short. */
static void read_status(int fd, char *said, size_t room)
{
	size_t size = 0;
	ssize_t got = 1;

	while (got > 0 && size < room - 1) {
		got = read(fd, said + size, room - 1 - size);
		size += got > 0 ? (size_t)got : 0;
	}
	said[size] = '\0';
}

void gv_jail(const struct gv_jail *jail, struct gv_end *end)
{
	struct args a = {0};
	char said[4096] = "", *code;
	int fds[2], status;
	size_t n = 0;
	char **all;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		gv_die("cannot make a pipe: %s", strerror(errno));
	walls(&a, jail, fds[1]);
	arg(&a, jail->python->program);
	while (jail->argv[n])
		n++;
	all = gv_alloc((a.n + n + 1) * sizeof(*all));
	memcpy(all, a.v, a.n * sizeof(*all));
	memcpy(all + a.n, jail->argv, n * sizeof(*all));
	*end = (struct gv_end){.ms = gv_now_ms()};
	pid = fork();
	if (pid < 0)
		gv_die("cannot start a process: %s", strerror(errno));
	if (pid == 0)
		become_jail(jail, fds[1], all);
	close(fds[1]);
	status = wait_for(pid, jail->timeout_ms, &end->timeout);
	end->ms = gv_now_ms() - end->ms;
	read_status(fds[0], said, sizeof(said));
	close(fds[0]);
	free(all);
	if (end->timeout)
		return;
	/* bubblewrap writes this line only for a process that it started */
	code = strstr(said, "\"exit-code\":");
	if (!code)
		say_why_not(jail, status);
	end->status =
	    code ? (int)gv_number(code + strlen("\"exit-code\":") +
	                          strspn(code + strlen("\"exit-code\":"), " "))
	         : 0;
}
