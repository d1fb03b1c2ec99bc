/* SPDX-License-Identifier: Apache-2.0 */
#include "git/command.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "git/mirror.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/signals.h"

#define READ_SIZE (256 * GS_KIB)
/* The first with cat-file --batch-command. */
#define OLDEST_MAJOR 2
#define OLDEST_MINOR 36

/* Every setting that could run a program, reach the network or change what
 * is printed. Most are defaults already: stated, so that no git version and
 * no packaged default can differ. core.commitGraph is off because a graph
 * may come through the alternates from a repository that we do not trust,
 * and git believes what it says of parents, trees and dates. */
static const char *const pinned[] = {
    "advice.detachedHead=false",
    "core.askPass=",
    "core.attributesFile=/dev/null",
    "core.commitGraph=false",
    "core.excludesFile=/dev/null",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=true",
    "credential.helper=",
    "diff.external=",
    "diff.ignoreSubmodules=none",
    "diff.renames=false",
    "fetch.fsckObjects=false",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=120",
    "i18n.logOutputEncoding=UTF-8",
    "log.follow=false",
    "log.showRoot=false",
    "log.showSignature=false",
    "maintenance.auto=false",
    "protocol.version=2",
    "safe.directory=*",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
    "transfer.credentialsInUrl=die",
};

#define PROTOCOL 0 /* its place; gs_command_allow_network changes it */

static const char *const environment[] = {
    [PROTOCOL] = "GIT_ALLOW_PROTOCOL=none",
    "GIT_ASKPASS=/bin/false",
    "GIT_ATTR_NOSYSTEM=1",
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_FLUSH=0",
    "GIT_GRAFT_FILE=/dev/null",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_NO_REPLACE_OBJECTS=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_PAGER=cat",
    "GIT_TERMINAL_PROMPT=0",
    "HOME=/dev/null",
    "LC_ALL=C",
    "TZ=UTC",
};

/* curl's own variables. */
static const char *const network[] = {"https_proxy", "HTTPS_PROXY", "all_proxy",
    "ALL_PROXY", "no_proxy", "NO_PROXY"};

static void pass_on(struct gs_strv *envp, const char *name, const char *as)
{
	const char *value = getenv(name);

	if (value)
		gs_strv_pushf(envp, "%s=%s", as, value);
}

int gs_command_init(
    struct gs_command *command, const char *mirror, struct gs_err *err)
{
	/* git runs in "/", so that no folder of the caller's is searched. */
	GS_CLEANUP(gs_freep) char *real = NULL;
	int rc = mirror ? gs_path_real(mirror, &real, err) : 0;

	if (rc)
		return rc;
	memset(command, 0, sizeof(*command));
	command->input = -1;
	command->errors = memfd_create("git stderr", MFD_CLOEXEC);
	if (command->errors < 0)
		return gs_fail_sys(
		    err, "make a memory file for git's messages");
	gs_strv_push_all(
	    &command->argv, "git", "--no-pager", "--literal-pathspecs", NULL);
	/* Named, a folder is never searched for nor asked who owns it. */
	gs_strv_pushf(
	    &command->argv, "--git-dir=%s", real ? real : "/dev/null");
	for (size_t i = 0; i < GS_COUNT(pinned); i++)
		gs_strv_push_all(&command->argv, "-c", pinned[i], NULL);
	for (size_t i = 0; i < GS_COUNT(environment); i++)
		gs_strv_push(&command->envp, environment[i]);
	/* Without it git finds none of its own helpers. */
	pass_on(&command->envp, "PATH", "PATH");
	return 0;
}

void gs_command_release(struct gs_command *command)
{
	gs_strv_release(&command->argv);
	gs_strv_release(&command->envp);
	/* A zeroed object holds no descriptor: 0 is never one of ours. */
	if (command->input > 0)
		gs_closep(&command->input);
	if (command->errors > 0)
		gs_closep(&command->errors);
}

void gs_command_allow_network(struct gs_command *command)
{
	char **protocol = &command->envp.v[PROTOCOL];

	command->may_be_silent = true;
	free(*protocol);
	*protocol = gs_strdup("GIT_ALLOW_PROTOCOL=https");
	for (size_t i = 0; i < GS_COUNT(network); i++)
		pass_on(&command->envp, network[i], network[i]);
	/* What other TLS programs read; git wants it under its own name. */
	pass_on(&command->envp, "SSL_CERT_FILE", "GIT_SSL_CAINFO");
	pass_on(&command->envp, "SSL_CERT_DIR", "GIT_SSL_CAPATH");
}

int gs_command_input(
    struct gs_command *command, struct gs_str bytes, struct gs_err *err)
{
	return gs_fd_memory("git input", bytes, &command->input, err);
}

int gs_command_start(struct gs_command *command, int stdin_fd,
    struct gs_proc *ret, struct gs_err *err)
{
	int input = stdin_fd >= 0 ? stdin_fd : command->input;
	struct gs_child child = {
	    .argv = gs_strv_argv(&command->argv),
	    .envp = gs_strv_argv(&command->envp),
	    .cwd = "/",
	    .stdin_to = input >= 0 ? GS_TO_FD : GS_TO_NULL,
	    .stdin_fd = input,
	    .stdout_to = GS_TO_PIPE,
	    .stderr_to = GS_TO_FD,
	    .stderr_fd = command->errors,
	    .data_max = (command->may_be_silent ? 4 : 1) * GS_MAX_GIT_MEMORY,
	};
	int rc = gs_proc_start(&child, ret, err);

	if (rc == GS_E_NOT_FOUND || rc == GS_E_ENVIRONMENT)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "git was not found on PATH: install it (on Debian: apt "
		    "install git)");
	return rc;
}

static bool is_telling(struct gs_str line)
{
	return gs_str_starts(line, "fatal: ") || gs_str_starts(line, "error: ");
}

/* The first error, which names the object, and the last, which says what
 * came of it; without any, the last line. */
static void telling_lines(struct gs_str text, struct gs_buf *out)
{
	struct gs_str line, first = {0}, last = {0};

	while (gs_str_cut(&text, '\n', &line)) {
		line = gs_str_trim(line);
		if (is_telling(line)) {
			last = gs_str_from(line, 7);
			if (first.n == 0)
				first = last;
		} else if (line.n > 0 && first.n == 0 &&
		           !gs_str_starts(line, "hint: ")) {
			last = line;
		}
	}
	if (first.n > 0 && first.p != last.p) {
		gs_utf8_harmless(out, first, false);
		gs_buf_addz(out, "; ");
	}
	gs_utf8_harmless(out, last, false);
}

/* "Out of memory, malloc failed (tried to allocate 8 bytes)", "mmap failed:
 * Cannot allocate memory": git's own words, in the C locale. */
static bool ran_out_of_memory(struct gs_str text)
{
	return gs_str_find(text, GS_STR("Out of memory")) >= 0 ||
	       gs_str_find(text, GS_STR("Cannot allocate memory")) >= 0;
}

int gs_command_fail(
    struct gs_command *command, const char *what, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf harmless = {0};
	char text[4096];
	struct stat st = {0};
	off_t keep = (off_t)sizeof(text), from;
	ssize_t n;

	(void)fstat(command->errors, &st);
	from = st.st_size > keep ? st.st_size - keep : 0;
	n = pread(command->errors, text, sizeof(text), from);
	telling_lines(gs_str_n(text, n > 0 ? (size_t)n : 0), &harmless);
	if (gs_stop_requested())
		return gs_fail(err, GS_E_CANCELLED, "%s: stopped", what);
	/* Killed, most likely: nothing is known of the repository. */
	if (harmless.n == 0)
		return gs_fail(
		    err, GS_E_SYSTEM, "%s: git ended without a word", what);
	if (ran_out_of_memory(gs_buf_str(&harmless)))
		return gs_fail(err, GS_E_LIMIT,
		    "%s: git needs more than the %zu MiB of memory that it is "
		    "given: the repository holds something far too large",
		    what, GS_MAX_GIT_MEMORY / GS_MIB);
	return gs_fail(err, GS_E_CORRUPT, "%s: git says: %s", what,
	    gs_buf_cstr(&harmless));
}

/* Waits for a byte from git, or its end. A stop request ends the wait, and so
 * does a silence; releasing the process then ends git. A fetch says nothing
 * while it is at work (http.lowSpeedTime ends a dead one): it has no limit. */
int gs_command_wait(
    const struct gs_proc *proc, int silence_ms, struct gs_err *err)
{
	struct pollfd watched[] = {{.fd = proc->stdout_fd, .events = POLLIN},
	    {.fd = gs_stop_fd(), .events = POLLIN}};

	for (;;) {
		int n = poll(watched, GS_COUNT(watched), silence_ms);
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "stopped");
		if (n == 0)
			return gs_fail(err, GS_E_BUSY,
			    "git said nothing for %d seconds: the repository "
			    "holds something that cannot be read",
			    silence_ms / 1000);
		if (watched[0].revents != 0)
			return 0;
	}
}

int gs_command_read(struct gs_proc *proc, int silence_ms, struct gs_buf *buf,
    struct gs_err *err)
{
	char *room = gs_buf_room(buf, READ_SIZE);
	ssize_t n;

	if (!room)
		return gs_fail(err, GS_E_LIMIT,
		    "git printed more than the %zu bytes that are taken",
		    buf->max ? buf->max : GS_BUF_MAX_DEFAULT);
	do {
		int rc = gs_command_wait(proc, silence_ms, err);
		if (rc)
			return rc;
		n = read(proc->stdout_fd, room, READ_SIZE);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return gs_fail_sys(err, "read what git prints");
	gs_buf_grew(buf, (size_t)n);
	return n > 0;
}

int gs_command_run(struct gs_command *command, const char *what,
    struct gs_buf *out, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf ignored = {0};
	GS_CLEANUP(gs_proc_release) struct gs_proc proc = {0};
	struct gs_end end;
	int silence_ms = command->may_be_silent ? -1 : GS_MAX_GIT_SILENCE_MS;
	int rc = gs_command_start(command, -1, &proc, err);

	if (rc)
		return rc;
	while ((rc = gs_command_read(
	            &proc, silence_ms, out ? out : &ignored, err)) > 0)
		if (!out)
			gs_buf_reset(&ignored);
	if (rc < 0)
		return gs_wrap(err, "%s", what);
	rc = gs_proc_wait(&proc, 0, &end, err);
	if (rc)
		return rc;
	if (end.kind != GS_END_EXITED || end.code != 0)
		return gs_command_fail(command, what, err);
	return 0;
}

/* "2.39.5", "2.39.5.windows.1", "2.40.0-rc1" */
static bool is_recent(const char *version)
{
	char *rest = NULL;
	long major = version ? strtol(version, &rest, 10) : 0;
	long minor = rest && *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;

	return major > OLDEST_MAJOR ||
	       (major == OLDEST_MAJOR && minor >= OLDEST_MINOR);
}

int gs_git_check(struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *version = NULL;
	int rc = gs_git_version(&version, err);

	if (rc || is_recent(version))
		return rc;
	return gs_fail(err, GS_E_ENVIRONMENT,
	    "the git on PATH is version %.40s, and %d.%d or later is needed: "
	    "install a newer one",
	    version, OLDEST_MAJOR, OLDEST_MINOR);
}

int gs_git_version(char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_command_release) struct gs_command command = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = GS_MIB};
	struct gs_str text;
	int rc = gs_command_init(&command, NULL, err);

	if (rc)
		return rc;
	gs_strv_push(&command.argv, "version");
	rc = gs_command_run(&command, "ask git for its version", &out, err);
	if (rc)
		return rc;
	text = gs_str_trim(gs_buf_str(&out));
	if (!gs_str_starts(text, "git version "))
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "the program git on PATH does not say its version");
	text = gs_str_from(text, 12);
	*ret = gs_strndup(text.p, text.n);
	return 0;
}
