/** Counters of the TCP transport, and the reasons for which callers are refused. */
@NullMarked
package org.railyard.socklnd.stats;

import org.jspecify.annotations.NullMarked;
