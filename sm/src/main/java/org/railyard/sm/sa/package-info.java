/** Subnet administration: answers what clients ask about the subnet, from the snapshot of the last sweep (spec 41 §7). */
@NullMarked
package org.railyard.sm.sa;

import org.jspecify.annotations.NullMarked;
