/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcurl as a table of function pointers, filled when it is first asked for.
 * It brings some thirty libraries (TLS, Kerberos, LDAP) whose loading takes
 * longer than all that most commands do; only `solve` needs it. The names are
 * libcurl's without their prefix, so that `curl->easy_init()` is what its
 * manual calls curl_easy_init.
 */
#ifndef EVALUATE_CURL_H
#define EVALUATE_CURL_H

/* Else the names are macros, which no table can hold. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/err.h"

#define CURL_FUNCTIONS(X)                                                      \
	X(global_init)                                                         \
	X(easy_init)                                                           \
	X(easy_setopt)                                                         \
	X(easy_getinfo)                                                        \
	X(easy_strerror)                                                       \
	X(easy_cleanup)                                                        \
	X(multi_init)                                                          \
	X(multi_add_handle)                                                    \
	X(multi_remove_handle)                                                 \
	X(multi_perform)                                                       \
	X(multi_poll)                                                          \
	X(multi_info_read)                                                     \
	X(multi_cleanup)                                                       \
	X(slist_append)                                                        \
	X(slist_free_all)

#define CURL_MEMBER(name) __typeof__(&curl_##name) name;

struct gs_curl {
	CURL_FUNCTIONS(CURL_MEMBER)
};

/* The table, loaded once and for the life of the process: libcurl's global
 * state cannot be taken back while its TLS library is loaded. GS_E_ENVIRONMENT
 * where it is not installed. */
GS_MUST_CHECK int gs_curl_load(const struct gs_curl **ret, struct gs_err *err);

#endif
