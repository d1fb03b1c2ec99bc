/* SPDX-License-Identifier: Apache-2.0 */
#include "run/kit.h"

#include "base/attr.h"

extern const char gs_text_boot_py[];
extern const char gs_text_server_py[];
extern const char gs_text_observer_py[];
extern const char gs_text_shim_collections_py[];
extern const char gs_text_shim_inspect_py[];
extern const char gs_text_shim_pytest_py[];
extern const char gs_text_shim_stdlib_py[];
extern const char gs_text_shim_distribution_py[];
extern const uint64_t gs_text_boot_py_size;
extern const uint64_t gs_text_server_py_size;
extern const uint64_t gs_text_observer_py_size;
extern const uint64_t gs_text_shim_collections_py_size;
extern const uint64_t gs_text_shim_inspect_py_size;
extern const uint64_t gs_text_shim_pytest_py_size;
extern const uint64_t gs_text_shim_stdlib_py_size;
extern const uint64_t gs_text_shim_distribution_py_size;

static const uint64_t no_bytes = 0;

const struct gs_kit_file gs_kit_files[] = {
    {"boot.py", gs_text_boot_py, &gs_text_boot_py_size},
    {"server.py", gs_text_server_py, &gs_text_server_py_size},
    {"goldset_observer.py", gs_text_observer_py, &gs_text_observer_py_size},
    {"goldset_shim_collections.py", gs_text_shim_collections_py,
        &gs_text_shim_collections_py_size},
    {"goldset_shim_inspect.py", gs_text_shim_inspect_py,
        &gs_text_shim_inspect_py_size},
    {"goldset_shim_pytest.py", gs_text_shim_pytest_py,
        &gs_text_shim_pytest_py_size},
    {"goldset_shim_stdlib.py", gs_text_shim_stdlib_py,
        &gs_text_shim_stdlib_py_size},
    {"goldset_shim_distribution.py", gs_text_shim_distribution_py,
        &gs_text_shim_distribution_py_size},
    /* For projects whose only configuration pytest would refuse. */
    {"empty.ini", "", &no_bytes},
};

const size_t gs_kit_n_files = GS_COUNT(gs_kit_files);
