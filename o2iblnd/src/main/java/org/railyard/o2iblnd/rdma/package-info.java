/** How memory becomes fragments, and how fragments become RDMA writes (spec 20 §11, §12; spec 22): pure functions. */
@NullMarked
package org.railyard.o2iblnd.rdma;

import org.jspecify.annotations.NullMarked;
