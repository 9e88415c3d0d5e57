/** Tests of the package of the same name. */
@NullMarked
package org.railyard.o2iblnd.tune;

import org.jspecify.annotations.NullMarked;
