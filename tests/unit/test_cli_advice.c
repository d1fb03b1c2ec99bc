/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "cli/advice.h"
#include "gs_test.h"

static const struct {
	const char *text, *bubblewrap, *pytest;
} systems[] = {
    {"PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n",
        "apt install bubblewrap", "apt install python3-pytest"},
    {"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt install bubblewrap",
        "apt install python3-pytest"},
    {"NAME=Fedora\nID=fedora\n", "dnf install bubblewrap",
        "dnf install python3-pytest"},
    {"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install bubblewrap",
        "dnf install python3-pytest"},
    {"ID=arch\n", "pacman -S bubblewrap", "pacman -S python-pytest"},
    {"ID=manjaro\nID_LIKE=arch\n", "pacman -S bubblewrap",
        "pacman -S python-pytest"},
    {"ID=void\n", "install bubblewrap with your package manager",
        "install pytest for Python 3 with your package manager"},
    {"", "install bubblewrap with your package manager",
        "install pytest for Python 3 with your package manager"},
    {"VARIANT_ID=debian\nID=\"\"\n",
        "install bubblewrap with your package manager",
        "install pytest for Python 3 with your package manager"},
};

START_TEST(a_package_is_installed_as_the_system_does_it)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf bubblewrap = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf pytest = {0};
		enum gs_system system = gs_system_of(gs_str(systems[_i].text));
		gs_advise_install(system, GS_THING_BUBBLEWRAP, &bubblewrap);
		gs_advise_install(system, GS_THING_PYTEST, &pytest);
		ck_assert_str_eq(
		    gs_buf_cstr(&bubblewrap), systems[_i].bubblewrap);
		ck_assert_str_eq(gs_buf_cstr(&pytest), systems[_i].pytest);
	}

END_TEST

#define USUAL .userns_clone = 1, .max_userns = 100, .apparmor_restrict = -1

static const struct {
	struct gs_machine machine;
	const char *says;
} machines[] = {
    {{USUAL}, "run as root"},
    {{.userns_clone = -1, .max_userns = 0, .apparmor_restrict = -1},
        "user.max_user_namespaces"},
    {{.userns_clone = 0, .max_userns = 9, .apparmor_restrict = -1},
        "kernel.unprivileged_userns_clone=1"},
    {{.userns_clone = 1, .max_userns = 9, .apparmor_restrict = 1}, "AppArmor"},
    {{USUAL, .container = "docker"}, "systempaths=unconfined"},
    {{USUAL, .container = "podman"}, "unmask=ALL"},
    {{USUAL, .container = "lxc"}, "(lxc)"},
    /* A switch of the kernel is the cause, in a container or not. */
    {{.container = "docker", .max_userns = 0}, "user.max_user_namespaces"},
    {{USUAL, .is_slurm = true}, "administrators"},
    {{.userns_clone = 0,
         .max_userns = 9,
         .is_root = true,
         .container = "docker"},
        "docker container"},
};

START_TEST(the_likely_cause_comes_first)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		gs_advise_sandbox(&machines[_i].machine, &text);
		ck_assert_msg(gs_str_find(gs_buf_str(&text),
		                  gs_str(machines[_i].says)) >= 0,
		    "no \"%s\" in: %s", machines[_i].says, gs_buf_cstr(&text));
	}

END_TEST

GS_TESTS(cli_advice,
    GS_TEST_ROWS(a_package_is_installed_as_the_system_does_it, systems),
    GS_TEST_ROWS(the_likely_cause_comes_first, machines))
