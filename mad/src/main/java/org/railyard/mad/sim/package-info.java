/**
 * The subnet management agents of a whole fabric in virtual time: port states, tables, traps, and faults by seed. For
 * tests, for the lab, and for trying out a subnet manager without hardware.
 */
@NullMarked
package org.railyard.mad.sim;

import org.jspecify.annotations.NullMarked;
