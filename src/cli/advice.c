/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/advice.h"

#include <string.h>

#include "base/mem.h"

static const struct {
	const char *id;
	enum gs_system system;
} systems[] = {
    {"debian", GS_SYSTEM_DEBIAN},
    {"ubuntu", GS_SYSTEM_DEBIAN},
    {"fedora", GS_SYSTEM_FEDORA},
    {"rhel", GS_SYSTEM_FEDORA},
    {"centos", GS_SYSTEM_FEDORA},
    {"arch", GS_SYSTEM_ARCH},
};

static enum gs_system system_named(struct gs_str id)
{
	for (size_t i = 0; i < GS_COUNT(systems); i++)
		if (gs_str_is(id, systems[i].id))
			return systems[i].system;
	return GS_SYSTEM_OTHER;
}

/* The value of a line of os-release, without quotes. */
static struct gs_str value_of(struct gs_str line, size_t name)
{
	struct gs_str value = gs_str_trim(gs_str_from(line, name));
	if (value.n >= 2 && (value.p[0] == '"' || value.p[0] == '\''))
		value = gs_str_sub(value, 1, value.n - 1);
	return value;
}

enum gs_system gs_system_of(struct gs_str text)
{
	enum gs_system own = GS_SYSTEM_OTHER, like = GS_SYSTEM_OTHER;
	struct gs_str line, word;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		if (gs_str_starts(line, "ID="))
			own = system_named(value_of(line, 3));
		if (!gs_str_starts(line, "ID_LIKE="))
			continue;
		struct gs_str words = value_of(line, 8);
		while (!like && words.n && gs_str_cut(&words, ' ', &word))
			like = system_named(word);
	}
	return own ? own : like;
}

void gs_advise_install(
    enum gs_system system, enum gs_thing thing, struct gs_buf *ret)
{
	static const char *const packages[GS_N_THINGS][4] = {
	    [GS_THING_GIT] = {"git", "git", "git", "git"},
	    [GS_THING_BUBBLEWRAP] = {"bubblewrap", "bubblewrap", "bubblewrap",
	        "bubblewrap"},
	    [GS_THING_PYTEST] = {"pytest for Python 3", "python3-pytest",
	        "python3-pytest", "python-pytest"},
	    [GS_THING_FAKETIME] = {"libfaketime", "libfaketime", "libfaketime",
	        "libfaketime"},
	    [GS_THING_CURL] = {"libcurl", "libcurl4", "libcurl", "curl"},
	};
	const char *package = packages[thing][system];
	switch (system) {
	case GS_SYSTEM_DEBIAN:
		gs_buf_addf(ret, "apt install %s", package);
		break;
	case GS_SYSTEM_FEDORA:
		gs_buf_addf(ret, "dnf install %s", package);
		break;
	case GS_SYSTEM_ARCH:
		gs_buf_addf(ret, "pacman -S %s", package);
		break;
	case GS_SYSTEM_OTHER:
		gs_buf_addf(
		    ret, "install %s with your package manager", package);
		break;
	}
}

static bool advise_container(
    const struct gs_machine *machine, struct gs_buf *ret)
{
	if (!machine->container)
		return false;
	bool is_docker = strcmp(machine->container, "docker") == 0;
	if (is_docker || strcmp(machine->container, "podman") == 0)
		gs_buf_addf(ret,
		    "this is a %s container, which forbids namespaces inside: "
		    "start it with --security-opt seccomp=unconfined "
		    "--security-opt %s",
		    machine->container,
		    is_docker ? "apparmor=unconfined --security-opt "
		                "systempaths=unconfined"
		              : "unmask=ALL");
	else
		gs_buf_addf(ret,
		    "this is a container (%s): allow user namespaces and "
		    "mounts inside, or run goldset outside",
		    machine->container);
	return true;
}

/* The first that fits is the most likely cause. */
void gs_advise_sandbox(const struct gs_machine *machine, struct gs_buf *ret)
{
	if (machine->max_userns == 0)
		gs_buf_addz(ret, "user namespaces are switched off: sysctl "
		                 "user.max_user_namespaces=15000 (as root; in "
		                 "/etc/sysctl.d to keep it)");
	else if (machine->userns_clone == 0 && !machine->is_root)
		gs_buf_addz(ret,
		    "only root may make user namespaces: sysctl "
		    "kernel.unprivileged_userns_clone=1 (as root; in "
		    "/etc/sysctl.d to keep it)");
	else if (machine->apparmor_restrict == 1 && !machine->is_root)
		gs_buf_addz(ret,
		    "AppArmor keeps user namespaces from bwrap: give it a "
		    "profile with `userns,`, or sysctl "
		    "kernel.apparmor_restrict_unprivileged_userns=0 (as root)");
	else if (!advise_container(machine, ret))
		gs_buf_addz(
		    ret, "allow unprivileged user namespaces, or run as root");
	if (machine->is_slurm)
		gs_buf_addz(ret,
		    "; in a Slurm job ask the cluster's administrators for it");
}
