/** Which port gets which LIDs, and the table that keeps them from run to run (spec 41 §3). */
@NullMarked
package org.railyard.sm.lid;

import org.jspecify.annotations.NullMarked;
