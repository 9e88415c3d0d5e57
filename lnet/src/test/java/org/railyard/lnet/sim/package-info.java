/**
 * A small world for tests of the stack: virtual time, a network of in-memory transports, everything on the calling
 * thread.
 */
@NullMarked
package org.railyard.lnet.sim;

import org.jspecify.annotations.NullMarked;
