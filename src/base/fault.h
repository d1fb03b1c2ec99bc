/* SPDX-License-Identifier: Apache-2.0 */
/* Named points at which test builds (GS_FAULTS) die: with GS_FAULT_AT=n in
 * the environment the n-th point reached kills the process that reached it
 * by SIGKILL. A command counts together with all that it forks. With
 * GS_FAULT_TRACE=FILE each point reached adds a line, its name, to the file:
 * how many there are, and which. In other builds a point is nothing. */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#ifdef GS_FAULTS
void gs_fault(const char *name);
#else
#define gs_fault(name) ((void)0)
#endif

#endif
