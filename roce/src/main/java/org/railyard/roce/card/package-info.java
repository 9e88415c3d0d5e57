/** Cards on addresses of this machine: ports, queue pairs, reliable connections with go-back-N and a window. */
@NullMarked
package org.railyard.roce.card;

import org.jspecify.annotations.NullMarked;
