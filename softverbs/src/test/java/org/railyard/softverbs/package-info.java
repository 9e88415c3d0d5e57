/** Tests of the package of the same name. */
@NullMarked
package org.railyard.softverbs;

import org.jspecify.annotations.NullMarked;
