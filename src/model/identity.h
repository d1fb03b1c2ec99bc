/* SPDX-License-Identifier: Apache-2.0 */
/* Identity (part I of the rules): who computes these twice gets the same. */
#ifndef MODEL_IDENTITY_H
#define MODEL_IDENTITY_H

#include "base/buf.h"
#include "base/hash.h"

#define GS_ID_SIZE 20 /* "gs-" + 16 + NUL */

/* I1. Appends the normalised bytes. */
void gs_normalise(struct gs_str text, struct gs_buf *ret);
/* SHA-256, hex, of the normalised text alone (also_in looks these up). */
void gs_text_hash(struct gs_str text, char out[GS_SHA256_HEX]);
/* I2. */
void gs_fingerprint(
    struct gs_str before, struct gs_str after, char out[GS_SHA256_HEX]);

struct gs_identity {
	const char *repo, *commit, *parent, *module, *unit, *granularity;
	const char *fingerprint;
};

/* I3. */
void gs_record_id(const struct gs_identity *identity, char out[GS_ID_SIZE]);

#endif
