/** A running subnet as it was read, by MADs or from the output of tools, and what differs from a plan. */
@NullMarked
package org.railyard.fabric.live;

import org.jspecify.annotations.NullMarked;
