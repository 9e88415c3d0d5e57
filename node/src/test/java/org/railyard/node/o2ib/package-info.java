/** Tests of the InfiniBand transport in a daemon. */
@NullMarked
package org.railyard.node.o2ib;

import org.jspecify.annotations.NullMarked;
