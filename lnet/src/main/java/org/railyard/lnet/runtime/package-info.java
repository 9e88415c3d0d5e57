/**
 * A node put together: transports, NIs, stack, discovery, and the duties that recur. The only room that knows all others. Next room:
 * {@code org.railyard.lnet}, the door for applications.
 */
@NullMarked
package org.railyard.lnet.runtime;

import org.jspecify.annotations.NullMarked;
