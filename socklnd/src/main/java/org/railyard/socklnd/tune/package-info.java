/** The tunables of the TCP transport, of the whole and of one NI (spec 02 §10, spec 12 §5). */
@NullMarked
package org.railyard.socklnd.tune;

import org.jspecify.annotations.NullMarked;
