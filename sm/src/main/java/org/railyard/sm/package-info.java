/** The subnet manager: sweeps by traps and timers, and what comes of each of them. The door of this module. */
@NullMarked
package org.railyard.sm;

import org.jspecify.annotations.NullMarked;
