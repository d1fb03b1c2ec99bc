/* SPDX-License-Identifier: Apache-2.0 */
#include "os/worker.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "os/fd.h"
#include "os/signals.h"

/* Codes are small and negative: one byte carries them. */
static void send_failure(int fd, const struct gs_err *why)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf message = {0};

	gs_buf_addc(&message, GS_WORKER_FAILURE);
	gs_buf_addc(&message, (char)-why->code);
	gs_buf_addz(&message, why->text);
	/* Without a parent there is nobody to tell. */
	gs_ignore(gs_fd_send(fd, gs_buf_str(&message), NULL));
}

int gs_worker_read_failure(struct gs_str message, struct gs_err *err)
{
	int code = message.n > 1 ? -message.p[1] : GS_E_CORRUPT;
	struct gs_str text = gs_str_from(message, 2);

	if (code > GS_E_USAGE || code < GS_E_SYSTEM)
		code = GS_E_CORRUPT;
	return gs_fail(err, (enum gs_code)code, "%.*s", GS_STR_ARG(text));
}

/* Its own group: what reaches the terminal's group is the parent's affair,
 * and to kill the group is to kill what the worker has started. */
static void set_up(const struct gs_worker *worker)
{
	sigset_t none;

	(void)setpgid(0, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != worker->parent)
		_exit(1);
	gs_stop_forget();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static int send_answer(
    const struct gs_worker *worker, struct gs_str answer, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf message = {0};

	gs_buf_addc(&message, GS_WORKER_ANSWER);
	gs_buf_adds(&message, answer);
	if (message.overflow)
		return gs_fail(err, GS_E_LIMIT, "an answer is too large");
	return gs_fd_send(worker->answer_fd, gs_buf_str(&message), err);
}

/* Job after job until the parent closes the pipe; 0, or a code. */
static int serve(
    const struct gs_worker *worker, void *state, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf job = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf answer = {0};
	int rc;

	while ((rc = gs_fd_receive(
	            worker->job_fd, GS_BUF_MAX_DEFAULT, &job, err)) > 0) {
		gs_buf_reset(&answer);
		rc = worker->ops->work(
		    worker->ctx, state, gs_buf_str(&job), &answer, err);
		if (rc == 0 && answer.overflow)
			rc = gs_fail(err, GS_E_LIMIT, "an answer is too large");
		if (rc == 0)
			rc = send_answer(worker, gs_buf_str(&answer), err);
		if (rc < 0)
			return rc;
	}
	return rc;
}

void gs_worker_main(const struct gs_worker *worker)
{
	struct gs_err err = {0};
	void *state = NULL;
	int rc = 0;

	set_up(worker);
	if (worker->ops->begin)
		rc = worker->ops->begin(
		    worker->ctx, worker->index, &state, &err);
	if (rc == 0) {
		rc = serve(worker, state, &err);
		if (worker->ops->end)
			worker->ops->end(worker->ctx, state);
	}
	if (rc < 0)
		send_failure(worker->answer_fd, &err);
	_exit(rc < 0);
}
