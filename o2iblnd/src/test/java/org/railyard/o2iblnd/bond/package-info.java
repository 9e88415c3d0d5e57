/** Tests of channel bonding without state. */
@NullMarked
package org.railyard.o2iblnd.bond;

import org.jspecify.annotations.NullMarked;
