/** Tests of this package. */
@NullMarked
package org.railyard.cli.o2ib;

import org.jspecify.annotations.NullMarked;
