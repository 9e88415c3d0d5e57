/** Reads a running subnet as it is programmed: nodes and cables, LIDs, all tables, SLs of paths; writes nothing. */
@NullMarked
package org.railyard.sm.live;

import org.jspecify.annotations.NullMarked;
