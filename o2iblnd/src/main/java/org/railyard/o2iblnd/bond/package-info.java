/**
 * Channel bonding without state: targets and their file, which routes there are, which is next, what a device's events
 * mean, what is wrong with a configuration (spec 21).
 */
@NullMarked
package org.railyard.o2iblnd.bond;

import org.jspecify.annotations.NullMarked;
