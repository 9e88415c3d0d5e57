/** Tests of the package of the same name. */
@NullMarked
package org.railyard.o2iblnd.connection;

import org.jspecify.annotations.NullMarked;
