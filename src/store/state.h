/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_STATE_H
#define STORE_STATE_H

enum gs_state { /* candidate.state, S3 */
	GS_STATE_PENDING = 0,
	GS_STATE_CLAIMED = 1,
	GS_STATE_ASIDE = 2, /* infra: not again by this process */
	GS_STATE_REFUSED = 3,
	GS_STATE_UNSATISFIED = 4,
	GS_STATE_UNSATISFIED_NOW = 5, /* becomes 4 at the next opening */
	GS_STATE_RECORD = 6,
};

#endif
