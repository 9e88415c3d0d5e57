/** Subnet administration: answers clients from the snapshot of the last sweep (spec 41 §7). */
@NullMarked
package org.railyard.sm.sa;

import org.jspecify.annotations.NullMarked;
