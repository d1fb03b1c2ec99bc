/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of which there is one each. */
#ifndef SITE_PAGES_H
#define SITE_PAGES_H

#include "site/page.h"

GS_MUST_CHECK int front_write(struct site *site, struct gs_err *err);
GS_MUST_CHECK int statistics_write(struct site *site, struct gs_err *err);
/* Leaderboard and the comparison of each two; nothing without reports. */
GS_MUST_CHECK int board_write(struct site *site, struct gs_err *err);
/* Method, query, datasheet, changes and withdrawals, attribution. */
GS_MUST_CHECK int documents_write(struct site *site, struct gs_err *err);
GS_MUST_CHECK int assets_write(struct site *site, struct gs_err *err);

#endif
