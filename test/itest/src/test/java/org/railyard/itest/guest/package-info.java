/** Real verbs: libibverbs and librdmacm over the kernel's {@code rdma_rxe}, in a machine of its own. */
@NullMarked
package org.railyard.itest.guest;

import org.jspecify.annotations.NullMarked;
