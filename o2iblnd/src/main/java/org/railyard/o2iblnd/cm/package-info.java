/** How connections come about: requests of this node and of others, over the connection manager (spec 20 §5, §6). */
@NullMarked
package org.railyard.o2iblnd.cm;

import org.jspecify.annotations.NullMarked;
