/* SPDX-License-Identifier: Apache-2.0 */
/* The command line as a whole: parse, open what the command needs, run it,
 * print its error once, give the exit status of cli.md. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

int gs_cli_main(int argc, char **argv);

#endif
