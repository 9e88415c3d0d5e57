/** Peers, the routes to each, and when these are connected (spec 20 §8, spec 21 §4). */
@NullMarked
package org.railyard.o2iblnd.peer;

import org.jspecify.annotations.NullMarked;
