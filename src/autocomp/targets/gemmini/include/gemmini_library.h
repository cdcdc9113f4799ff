/* Our library of whole operations on Gemmini, by the names and argument orders of Gemmini's own: any size, on any chip.
 * Software loops (WS, OS) or hardware loops (WS_LOOP) behind the same functions. See docs/gemmini.md. */
#ifndef AUTOCOMP_GEMMINI_LIBRARY_H
#define AUTOCOMP_GEMMINI_LIBRARY_H

#include "library/conv.h"
#include "library/matmul.h"
#include "library/resadd.h"

#endif
