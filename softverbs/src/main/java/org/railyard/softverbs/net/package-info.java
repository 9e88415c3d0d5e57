/** A simulated fabric as cards see it: ports, links, forwarding tables, what travels on them, and faults. */
@NullMarked
package org.railyard.softverbs.net;

import org.jspecify.annotations.NullMarked;
