/** Nodes as the subnet manager knows them from sweep to sweep: what they said, and what they were programmed with. */
@NullMarked
package org.railyard.sm.subnet;

import org.jspecify.annotations.NullMarked;
