/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the package metadata says, read as text patterns: pyproject.toml,
 * setup.cfg, setup.py, PKG-INFO. The licence file decides; only a clear
 * contradiction counts (L3, F041, F042). What a program would compute is
 * passed over.
 */
#ifndef LICENCE_METADATA_H
#define LICENCE_METADATA_H

#include "licence/licence.h"

/* false, with a sentence, when the file names a licence other than those of
 * the families `have`. */
bool gs_metadata_agrees(
    const struct gs_licence_file *file, unsigned have, char *ret, size_t size);

#endif
