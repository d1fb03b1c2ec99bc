/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/curl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The name of its binary interface, the same since 2006. */
#define CURL_LIBRARY "libcurl.so.4"

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {

#define CURL_SYMBOL(name) {"curl_" #name, offsetof(struct gs_curl, name)},
    CURL_FUNCTIONS(CURL_SYMBOL)};

static int fill_in(void *library, struct gs_curl *ret, struct gs_err *err)
{
	for (size_t i = 0; i < GS_COUNT(symbols); i++) {
		void *symbol = dlsym(library, symbols[i].name);
		if (!symbol)
			return gs_fail(err, GS_E_ENVIRONMENT,
			    CURL_LIBRARY " lacks %s: it is older "
			                 "than 7.66; install a newer one",
			    symbols[i].name);
		/* ISO C has no way from void * to a function pointer; POSIX
		 * promises that the bytes are the same. */
		memcpy(
		    (char *)ret + symbols[i].offset, &symbol, sizeof(symbol));
	}
	return 0;
}

int gs_curl_load(const struct gs_curl **ret, struct gs_err *err)
{
	static struct gs_curl curl;
	static bool is_loaded;
	if (!is_loaded) {
		void *library = dlopen(CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			return gs_fail(err, GS_E_ENVIRONMENT,
			    "libcurl, which talks to models, does not load: "
			    "%s (goldset doctor says how to install it)",
			    dlerror());
		int rc = fill_in(library, &curl, err);
		if (rc)
			return rc;
		if (curl.global_init(CURL_GLOBAL_DEFAULT))
			return gs_fail(
			    err, GS_E_ENVIRONMENT, "libcurl does not start");
		is_loaded = true;
	}
	*ret = &curl;
	return 0;
}
