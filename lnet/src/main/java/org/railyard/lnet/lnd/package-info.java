/** The contract between the stack and its transports (LNDs). The stack calls {@code Lnd}, a transport calls {@code LndUpcalls}; neither sees more of the other. Next room: {@code org.railyard.lnet}. */
@NullMarked
package org.railyard.lnet.lnd;

import org.jspecify.annotations.NullMarked;
