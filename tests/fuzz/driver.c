/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a corpus through a fuzz target without libFuzzer, as a test: each
 * file of each folder given is one input and one line of TAP. Every input is
 * run cut short at a few places too, since most readers fail at their ends.
 * A crash ends the program with the input's name printed before.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* On the heap and of just that size, so that ASan sees the first byte read
 * past it. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	if (!copy)
		abort();
	if (size > 0)
		memcpy(copy, data, size);
	(void)LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void run_file(FILE *file)
{
	static uint8_t data[1 << 20];
	size_t size = fread(data, 1, sizeof(data), file);
	run(data, size);
	for (size_t cut = 1; cut <= 4; cut++)
		run(data, size * cut / 5);
	if (size > 0)
		run(data, size - 1);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int run_folder(const char *folder, int *n)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_visible, alphasort);
	int failures = count <= 0;
	for (int i = 0; i < count; i++) {
		char path[4096];
		(void)snprintf(
		    path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		FILE *file = fopen(path, "rb");
		printf("# %s\n", path);
		(void)fflush(stdout);
		if (file)
			run_file(file);
		else
			failures++;
		printf("%sok %d - %s\n", file ? "" : "not ", ++*n,
		    entries[i]->d_name);
		if (file)
			(void)fclose(file);
		free(entries[i]);
	}
	free(entries);
	return failures;
}

int main(int argc, char **argv)
{
	int n = 0, failures = argc < 2;
	for (int i = 1; i < argc; i++)
		failures += run_folder(argv[i], &n);
	printf("1..%d\n", n);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
