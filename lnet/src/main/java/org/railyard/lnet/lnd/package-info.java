/**
 * The contract between the stack and its transports (LNDs). The stack calls {@code Lnd}, a transport calls {@code
 * LndUpcalls}; neither sees more of the other.
 */
@NullMarked
package org.railyard.lnet.lnd;

import org.jspecify.annotations.NullMarked;
