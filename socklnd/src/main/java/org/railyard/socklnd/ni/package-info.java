/** What connections and peers share: tunables, stack and counters, and the state of their NI. */
@NullMarked
package org.railyard.socklnd.ni;

import org.jspecify.annotations.NullMarked;
