/** What stands in for libibverbs and librdmacm in tests: the same functions and structures, made in Java. */
@NullMarked
package org.railyard.ibverbs.standin;

import org.jspecify.annotations.NullMarked;
