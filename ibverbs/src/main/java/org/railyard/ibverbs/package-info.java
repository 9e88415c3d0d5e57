/** The provider of verbs over libibverbs and librdmacm (spec 24): devices, loops, queues and connections. */
@NullMarked
package org.railyard.ibverbs;

import org.jspecify.annotations.NullMarked;
