/* SPDX-License-Identifier: Apache-2.0 */
/* A deny list, not an allow list: test suites use nearly every call there
 * is. What stands here reaches kernel code that no test suite needs, or
 * leaves the box (F170); namespaces and capabilities are the wall, this
 * makes it thicker. */
#include "run/seccomp.h"

#include <errno.h>
#include <linux/sched.h>
#include <linux/vm_sockets.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/attr.h"
#include "os/fd.h"

static const int denied[] = {
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(quotactl),
    SCMP_SYS(acct),
    SCMP_SYS(syslog),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(vhangup),
};

static int add_rules(scmp_filter_ctx filter)
{
	int rc = 0;
	for (size_t i = 0; i < GS_COUNT(denied) && rc == 0; i++)
		rc = seccomp_rule_add(
		    filter, SCMP_ACT_ERRNO(EPERM), denied[i], 0);
	/* Arguments of clone3 lie in memory where no filter can look; ENOSYS
	 * sends glibc to clone, whose flags can be looked at. */
	if (rc == 0)
		rc = seccomp_rule_add(
		    filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	if (rc == 0)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM),
		    SCMP_SYS(clone), 1,
		    SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
	/* Message queues outlive their processes, and no test suite has any;
	 * between the runs of a warm worker they would be a way. */
	if (rc == 0)
		rc = seccomp_rule_add(
		    filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(mq_open), 0);
	/* A terminal that is left open must not be typed into. */
	if (rc == 0)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM),
		    SCMP_SYS(ioctl), 1,
		    SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCSTI));
	/* In a virtual machine this family reaches the host. */
	if (rc == 0)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT),
		    SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, AF_VSOCK, 0));
	return rc;
}

int gs_seccomp_open(int *ret_fd, struct gs_err *err)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	if (!filter)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "libseccomp cannot make a filter on this machine");
	GS_CLEANUP(gs_closep)
	int fd = memfd_create("goldset-seccomp", MFD_CLOEXEC);
	int rc = fd < 0 ? -errno : add_rules(filter);
	if (rc == 0)
		rc = seccomp_export_bpf(filter, fd);
	seccomp_release(filter);
	if (rc != 0) {
		errno = -rc;
		return gs_fail_sys(err, "make the seccomp filter");
	}
	*ret_fd = gs_fd_steal(&fd);
	return 0;
}
