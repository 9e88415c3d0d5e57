/** One connection: queues, buffers, credits and transactions, and why it ends (spec 20 §9, §13, §15). */
@NullMarked
package org.railyard.o2iblnd.connection;

import org.jspecify.annotations.NullMarked;
