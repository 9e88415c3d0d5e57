/**
 * A node put together: transports, NIs, stack, discovery, and the duties that recur. Knows all other packages of the
 * stack.
 */
@NullMarked
package org.railyard.lnet.runtime;

import org.jspecify.annotations.NullMarked;
