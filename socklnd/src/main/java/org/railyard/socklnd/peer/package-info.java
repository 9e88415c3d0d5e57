/** Peers: their connections, what waits for one, when the next is dialled, zero-copy acks (spec 02 §4, §5, §7). */
@NullMarked
package org.railyard.socklnd.peer;

import org.jspecify.annotations.NullMarked;
